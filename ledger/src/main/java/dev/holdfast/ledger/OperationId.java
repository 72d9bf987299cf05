package dev.holdfast.ledger;

/**
 * Names one shared durable effect within a scope: the operation type and the key that the caller
 * took from its parameters.
 *
 * <p>Keys may be personal, so {@link #toString()} shows the type and a digest of the key alone.
 *
 * @param type at most 100 characters, without a colon (it ends the type in {@link #text()})
 * @param key visible NFC text, at most 255 characters
 */
public record OperationId(String type, String key) {
  static final int TYPE_LIMIT = 100;
  static final int KEY_LIMIT = 255;

  public OperationId {
    Text.named("the operation type", type, TYPE_LIMIT);
    if (type.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the operation type holds a colon");
    }
    Text.named("the operation key", key, KEY_LIMIT);
  }

  /** The text under which the ledger keeps the operation; two ids never share one. */
  public String text() {
    return type + ":" + key;
  }

  /** The inverse of {@link #text()}. */
  public static OperationId parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("an operation id without a colon");
    }
    return new OperationId(text.substring(0, colon), text.substring(colon + 1));
  }

  /** The first twelve hexadecimal digits of the key's SHA-256: what logs and messages may show. */
  public String keyDigest() {
    return Sha256.ofUtf8(key).shortHex();
  }

  @Override
  public String toString() {
    return type + ":#" + keyDigest();
  }
}
