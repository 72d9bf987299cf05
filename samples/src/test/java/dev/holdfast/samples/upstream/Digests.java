package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** RFC 9530 once more, so that the tests do not ask the code under test. */
final class Digests {

  private Digests() {}

  static String contentDigestOf(String body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body.getBytes(UTF_8));
      return "sha-256=:%s:".formatted(Base64.getEncoder().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
