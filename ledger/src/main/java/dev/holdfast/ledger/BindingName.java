package dev.holdfast.ledger;

/**
 * Names an authorization whose generations are counted: a token, a mandate, a connection to an
 * upstream.
 *
 * @param value visible NFC text, at most 255 characters
 */
public record BindingName(String value) {
  static final int LIMIT = 255;

  public BindingName {
    Text.named("the binding", value, LIMIT);
  }

  @Override
  public String toString() {
    return "#" + Sha256.ofUtf8(value).shortHex();
  }
}
