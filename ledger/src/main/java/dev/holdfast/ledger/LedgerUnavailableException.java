package dev.holdfast.ledger;

/** The database could not be asked, or refused in time: nothing happened. */
public final class LedgerUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LedgerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
