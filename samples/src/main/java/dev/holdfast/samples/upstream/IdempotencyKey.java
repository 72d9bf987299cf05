package dev.holdfast.samples.upstream;

/**
 * The value of an {@code Idempotency-Key} header: one key, one effect.
 *
 * <p>The quotes of a structured-field string are not part of the key, so that {@code "k"} and
 * {@code k} name the same effect.
 *
 * @param value 1 to 255 characters, opaque to the upstream
 */
public record IdempotencyKey(String value) {

  /** Unquotes and validates. */
  public IdempotencyKey {
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1);
    }
    if (value.isBlank() || value.length() > 255) {
      throw new IllegalArgumentException("an idempotency key has 1 to 255 characters");
    }
  }
}
