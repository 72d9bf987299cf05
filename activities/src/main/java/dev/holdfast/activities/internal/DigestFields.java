package dev.holdfast.activities.internal;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Compares {@code Content-Digest} and {@code Repr-Digest} (RFC 9530) with the bytes as received.
 * Both fields are dictionaries of byte sequences; algorithms other than SHA-256 and SHA-512 are
 * passed over, as the RFC allows.
 */
final class DigestFields {
  private static final Map<String, String> ALGORITHMS =
      Map.of("sha-256", "SHA-256", "sha-512", "SHA-512");

  private DigestFields() {}

  static DigestCheck check(HttpResponse<byte[]> response) {
    DigestCheck content = check(response.headers().allValues("content-digest"), response.body());
    return bodyIsRepresentation(response)
        ? content.and(check(response.headers().allValues("repr-digest"), response.body()))
        : content;
  }

  /**
   * {@code Repr-Digest} speaks of the whole selected representation. The body is surely that one
   * only where it is no part, no coded form and no statement about another resource.
   */
  private static boolean bodyIsRepresentation(HttpResponse<byte[]> response) {
    HttpHeaders headers = response.headers();
    return !response.request().method().equals("HEAD")
        && List.of(204, 205, 206, 304).stream().noneMatch(s -> s == response.statusCode())
        && List.of("content-encoding", "content-range", "content-location").stream()
            .allMatch(name -> headers.firstValue(name).isEmpty());
  }

  private static DigestCheck check(List<String> lines, byte[] body) {
    if (lines.isEmpty()) {
      return DigestCheck.ABSENT;
    }
    try {
      return new Parser(lines)
          .parseDictionary().get().entrySet().stream()
              .map(member -> check(ALGORITHMS.get(member.getKey()), member.getValue(), body))
              .reduce(DigestCheck.ABSENT, DigestCheck::and);
    } catch (ParseException e) {
      return DigestCheck.MALFORMED;
    }
  }

  private static DigestCheck check(@Nullable String algorithm, ListElement<?> value, byte[] body) {
    if (algorithm == null) {
      return DigestCheck.ABSENT;
    }
    if (!(value instanceof ByteSequenceItem sent)) {
      return DigestCheck.MALFORMED;
    }
    return sent.get().equals(ByteBuffer.wrap(digest(algorithm, body)))
        ? DigestCheck.MATCHES
        : DigestCheck.DIFFERS;
  }

  private static byte[] digest(String algorithm, byte[] body) {
    try {
      return MessageDigest.getInstance(algorithm).digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }
}
