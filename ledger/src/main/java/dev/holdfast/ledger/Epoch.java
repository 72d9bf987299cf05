package dev.holdfast.ledger;

/**
 * Execution number of an operation, 0 at first; rises only when a person orders it to run again.
 */
public record Epoch(int value) {
  public Epoch {
    if (value < 0) {
      throw new IllegalArgumentException("a negative epoch: " + value);
    }
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
