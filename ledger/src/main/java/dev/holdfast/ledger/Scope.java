package dev.holdfast.ledger;

/**
 * The tenant boundary; part of every key, so that equal keys of two tenants are two operations.
 *
 * @param value visible NFC text, at most 100 characters
 */
public record Scope(String value) {
  static final int LIMIT = 100;

  public Scope {
    Text.named("the scope", value, LIMIT);
  }

  @Override
  public String toString() {
    return value;
  }
}
