package dev.holdfast.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest (FIPS 180-4), held as 64 lower-case hexadecimal digits. */
public record Sha256(String hex) {
  private static final HexFormat HEX = HexFormat.of();
  private static final int LENGTH = 64;
  private static final int SHORT = 12;

  public Sha256 {
    if (!isHex(hex)) {
      throw new IllegalArgumentException("not a SHA-256 digest in lower-case hexadecimal");
    }
  }

  /** The digest of these bytes. */
  public static Sha256 of(byte[] bytes) {
    return ofDigest(algorithm().digest(bytes));
  }

  /** The digest of this text's UTF-8 bytes. */
  public static Sha256 ofUtf8(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A digest that was made already: 32 bytes. */
  public static Sha256 ofDigest(byte[] digest) {
    return new Sha256(HEX.formatHex(digest));
  }

  static boolean isHex(String text) {
    if (text.length() != LENGTH) {
      return false;
    }
    // a loop: digests are made between an effect and its receipt, where a stream's set-up is felt
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** The 32 bytes. */
  public byte[] bytes() {
    return HEX.parseHex(hex);
  }

  /** The first twelve digits, for logs. */
  public String shortHex() {
    return hex.substring(0, SHORT);
  }

  static MessageDigest algorithm() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return hex;
  }
}
