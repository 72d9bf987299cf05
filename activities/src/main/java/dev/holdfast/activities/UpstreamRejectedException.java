package dev.holdfast.activities;

/**
 * The upstream said, definitely, that the effect did not happen and will not. Thrown out of an
 * activity it settles the operation as failed, for every retry.
 */
public final class UpstreamRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int status;

  /**
   * @param code a word for the refusal, at most 100 characters, kept in the ledger; no payload
   * @param status the upstream's own status code
   */
  public UpstreamRejectedException(String code, int status) {
    super("the upstream rejected the request: " + code + " (" + status + ")");
    this.code = code;
    this.status = status;
  }

  /** The word for the refusal. */
  public String code() {
    return code;
  }

  /** The upstream's own status code. */
  public int status() {
    return status;
  }
}
