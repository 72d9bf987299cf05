package dev.holdfast.activities.evidence;

/** Leaves the reading of a message; never leaves this package. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal reason;

  RefusedException(Refusal reason) {
    super(reason.word(), null, false, false);
    this.reason = reason;
  }

  Refusal reason() {
    return reason;
  }
}
