package dev.holdfast.activities.evidence;

/**
 * Names a verification key, as the signer's {@code keyid} parameter does (RFC 9421, section 2.3).
 *
 * @param value 1 to 255 visible ASCII characters
 */
public record KeyId(String value) {
  private static final int LIMIT = 255;

  public KeyId {
    if (value.isEmpty()
        || value.length() > LIMIT
        || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException("a key id is 1 to " + LIMIT + " visible ASCII characters");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
