package dev.holdfast.ledger;

/** The ledger cannot keep its promise on this database; the message names the cure. */
public final class LedgerRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LedgerRefusedException(String message) {
    super(message);
  }
}
