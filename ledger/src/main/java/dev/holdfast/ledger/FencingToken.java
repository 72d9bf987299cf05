package dev.holdfast.ledger;

/**
 * Strictly rising number of a lease (seed: {@code monotonic_fencing_token}); the highest one holds.
 */
public record FencingToken(long value) {
  public FencingToken {
    if (value <= 0) {
      throw new IllegalArgumentException("a fencing token is positive: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
