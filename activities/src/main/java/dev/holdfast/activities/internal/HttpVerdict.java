package dev.holdfast.activities.internal;

/**
 * What an HTTP status says of the effect. A status that no row names says nothing: redirects are
 * answers that are not followed, 409 may be the key that is still being worked on.
 */
public enum HttpVerdict {
  /** The effect is done. */
  SUCCEEDED,
  /** It is not done, and the same request never will do it. */
  REJECTED,
  /** Nothing was done, this time. */
  REFUSED,
  /** It may be done or not, or be under way. */
  UNKNOWN;

  /** The verdict where the author moved nothing. */
  public static HttpVerdict of(int status) {
    if (status >= 200 && status <= 299) {
      return SUCCEEDED;
    }
    return switch (status) {
      case 400, 402, 404, 410, 422 -> REJECTED;
      case 401, 403, 407, 429 -> REFUSED;
      default -> UNKNOWN;
    };
  }
}
