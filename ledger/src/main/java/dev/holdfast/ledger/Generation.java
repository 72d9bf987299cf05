package dev.holdfast.ledger;

/**
 * Binding generation: the authorization under which an effect was requested. 0 where none is used.
 */
public record Generation(long value) {
  public Generation {
    if (value < 0) {
      throw new IllegalArgumentException("a negative binding generation: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
