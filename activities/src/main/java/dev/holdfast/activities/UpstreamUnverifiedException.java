package dev.holdfast.activities;

/**
 * Nobody can tell whether the effect happened: the answer was lost, says nothing, or was not
 * believed. Thrown out of an activity it leaves the outcome unknown.
 */
public final class UpstreamUnverifiedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason a short stable word, such as {@code status_503}; no payload, no key
   */
  public UpstreamUnverifiedException(String reason) {
    super("nobody can tell whether the effect happened: " + reason);
    this.reason = reason;
  }

  /** The word for what was wrong with the answer. */
  public String reason() {
    return reason;
  }
}
