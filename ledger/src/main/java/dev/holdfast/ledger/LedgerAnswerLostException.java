package dev.holdfast.ledger;

/** A statement was sent and its answer did not come: it may have been committed or not. */
public class LedgerAnswerLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LedgerAnswerLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
