package dev.holdfast.ledger;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What a release leaves behind: SHA-256 over the domain tag, scope, resource, token in decimal,
 * idempotency key, request digest and response digest, both in lower-case hexadecimal. Each is
 * UTF-8 behind its length in four bytes, big-endian, so that no two receipts share a text (the seed
 * joins them by a bar, which a key may hold, and leaves the request out).
 */
final class ReleaseDigest {
  private static final String DOMAIN = "holdfast-release-1";

  private ReleaseDigest() {}

  static Sha256 of(
      Scope scope,
      ResourceId resource,
      FencingToken token,
      String idempotencyKey,
      Sha256 request,
      Sha256 response) {
    MessageDigest digest = Sha256.algorithm();
    add(digest, DOMAIN);
    add(digest, scope.value());
    add(digest, resource.value());
    add(digest, Long.toString(token.value()));
    add(digest, idempotencyKey);
    add(digest, request.hex());
    add(digest, response.hex());
    return Sha256.ofDigest(digest.digest());
  }

  private static void add(MessageDigest digest, String field) {
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }
}
