package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Names one shared durable effect within a scope: the operation type and the key taken from the
 * parameters of the activity.
 *
 * <p>Keys may be personal, so {@link #toString()} shows the type and a digest of the key alone.
 *
 * @param type visible NFC text of at most 100 characters, without a colon
 * @param key visible NFC text of at most 255 characters
 */
public record OperationId(String type, String key) {
  static final int TYPE_LIMIT = 100;
  static final int KEY_LIMIT = 255;

  public OperationId {
    Text.named("the operation type", type, TYPE_LIMIT);
    if (type.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "the operation type holds a colon; name another one by @Fenced(operation = …)");
    }
    Text.named("the operation key", key, KEY_LIMIT);
  }

  /** The text of an operation id: {@code type:key}. Two ids never share one. */
  @JsonValue
  public String text() {
    return type + ":" + key;
  }

  /** The inverse of {@link #text()}. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static OperationId parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("an operation id without a colon");
    }
    return new OperationId(text.substring(0, colon), text.substring(colon + 1));
  }

  /** What logs and messages may show of the key. */
  public KeyDigest keyDigest() {
    return KeyDigest.of(key);
  }

  @Override
  public String toString() {
    return type + ":#" + keyDigest();
  }
}
