package dev.holdfast.activities;

/**
 * The upstream did nothing, this time: too many requests, no authorization yet. Thrown out of an
 * activity it closes the attempt, and a retry may do better.
 */
public final class UpstreamRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param status the upstream's own status code
   */
  public UpstreamRefusedException(int status) {
    super("the upstream refused and did nothing (" + status + ")");
    this.status = status;
  }

  /** The upstream's own status code. */
  public int status() {
    return status;
  }
}
