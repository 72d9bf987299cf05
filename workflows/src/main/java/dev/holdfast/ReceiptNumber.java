package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Number of a receipt within one ledger; who knows one can tell that the ledger went back. */
public record ReceiptNumber(@JsonValue long value) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
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
