package dev.holdfast.activities;

/**
 * Nothing was sent, so nothing can have happened: the lease is no longer good for a dispatch, or
 * the request never left. The attempt is given back and may be made again.
 */
public final class NotDispatchedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason a short stable word, such as {@code lease-lost}; no payload, no key
   */
  public NotDispatchedException(String reason) {
    super(reason);
  }

  /**
   * @param reason a short stable word
   * @param cause what kept the request from leaving
   */
  public NotDispatchedException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
