package dev.holdfast.activities.evidence;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/**
 * Ties the body to the signature: {@code Content-Digest} (RFC 9530) must hold at least one digest
 * that is known here, and all of those must be the body's.
 */
final class SignedDigest {
  static final String FIELD = "content-digest";

  private static final Map<String, String> ALGORITHMS =
      Map.of("sha-256", "SHA-256", "sha-512", "SHA-512");

  private SignedDigest() {}

  /**
   * @throws RefusedException the body is another one
   * @throws IllegalArgumentException the field is none
   */
  static void check(SignedMessage message) {
    Map<String, ListElement<?>> digests = new Parser(message.lines(FIELD)).parseDictionary().get();
    List<Boolean> compared =
        ALGORITHMS.entrySet().stream()
            .flatMap(
                known ->
                    Stream.ofNullable(digests.get(known.getKey()))
                        .map(sent -> isDigest(sent, known.getValue(), message.body())))
            .toList();
    if (compared.isEmpty() || compared.contains(false)) {
      throw new RefusedException(Refusal.DIGEST_DIFFERS);
    }
  }

  private static boolean isDigest(ListElement<?> sent, String algorithm, byte[] body) {
    return sent instanceof ByteSequenceItem sequence
        && sequence.get().equals(ByteBuffer.wrap(digest(algorithm, body)));
  }

  private static byte[] digest(String algorithm, byte[] body) {
    try {
      return MessageDigest.getInstance(algorithm).digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }
}
