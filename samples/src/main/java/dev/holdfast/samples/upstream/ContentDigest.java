package dev.holdfast.samples.upstream;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The {@code Content-Digest} field of RFC 9530, SHA-256 alone. */
final class ContentDigest {

  private ContentDigest() {}

  static String of(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
