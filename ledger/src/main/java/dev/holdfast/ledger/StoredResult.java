package dev.holdfast.ledger;

import java.util.Arrays;

/**
 * The activity's result as the ledger keeps it: encoded, so that encryption covers the ledger. A
 * value, {@code null} and {@code void} are three things.
 */
public sealed interface StoredResult {
  /** An encoded value; compared by content. */
  @SuppressWarnings("ArrayRecordComponent") // copied in and out
  record Value(byte[] encoded) implements StoredResult {
    public Value {
      encoded = encoded.clone();
    }

    @Override
    public byte[] encoded() {
      return encoded.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Value value && Arrays.equals(encoded, value.encoded);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(encoded);
    }

    /** Shows the size alone. */
    @Override
    public String toString() {
      return "Value[" + encoded.length + " bytes]";
    }
  }

  /** The method returned {@code null}. */
  record Null() implements StoredResult {}

  /** The method returns nothing. */
  record NoValue() implements StoredResult {}

  /** The effect is done, its result was too large to carry; the digest says which one it was. */
  record NotStored(Sha256 digest) implements StoredResult {}
}
