package dev.holdfast.ledger;

/** Counts the changes of an operation row; part of every compare-and-set. */
public record Revision(long value) {
  public Revision {
    if (value <= 0) {
      throw new IllegalArgumentException("a revision is positive: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
