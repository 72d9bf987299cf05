package dev.holdfast;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The first twelve hexadecimal digits of the SHA-256 of an operation key: all of a key that logs,
 * metrics and failures show.
 */
public record KeyDigest(String value) {
  private static final int DIGITS = 12;

  public KeyDigest {
    if (value.length() != DIGITS) {
      throw new IllegalArgumentException("a key digest has twelve digits");
    }
  }

  /** The digest of this key. */
  public static KeyDigest of(String key) {
    return new KeyDigest(sha256(key).substring(0, DIGITS));
  }

  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
