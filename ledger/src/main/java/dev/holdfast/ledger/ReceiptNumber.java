package dev.holdfast.ledger;

/**
 * Number of a receipt within one ledger; a caller that knows one can tell that a ledger went back.
 */
public record ReceiptNumber(long value) {
  public ReceiptNumber {
    if (value <= 0) {
      throw new IllegalArgumentException("a receipt number is positive: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
