package dev.holdfast.activities.evidence;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * One signature of a message, as its two fields say (RFC 9421, section 4); nothing is verified.
 *
 * @param covered the covered components, with the parameters of the signature
 * @param bytes the signature itself
 * @param algorithm as named by the signer, which chooses nothing
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record MessageSignature(
    InnerList covered,
    byte[] bytes,
    KeyId key,
    Instant created,
    Optional<Instant> expires,
    Optional<String> algorithm) {

  /** Each costs a verification: enough for two keys and a proxy or two. */
  static final int MOST = 8;

  private static final String INPUT_FIELD = "signature-input";
  private static final String FIELD = "signature";

  /** A signature's text that was found, as it came. */
  private record Written(InnerList covered, byte[] bytes) {}

  /**
   * The signatures of a message; those alone that have both fields under one label.
   *
   * @throws RefusedException there is none, or there are too many
   * @throws IllegalArgumentException the fields are none
   */
  static List<MessageSignature> of(SignedMessage message) {
    List<Written> written = written(message);
    if (written.isEmpty()) {
      throw new RefusedException(Refusal.UNSIGNED);
    }
    if (written.size() > MOST) {
      throw new RefusedException(Refusal.TOO_BIG);
    }
    return written.stream().map(MessageSignature::read).toList();
  }

  private static List<Written> written(SignedMessage message) {
    Map<String, ListElement<?>> inputs = dictionary(message, INPUT_FIELD);
    Map<String, ListElement<?>> signatures = dictionary(message, FIELD);
    List<Written> written = new ArrayList<>();
    for (Map.Entry<String, ListElement<?>> input : inputs.entrySet()) {
      ListElement<?> signature = signatures.get(input.getKey());
      if (signature != null) {
        written.add(new Written(covered(input.getValue()), bytes(signature, message.lines(FIELD))));
      }
    }
    return written;
  }

  private static Map<String, ListElement<?>> dictionary(SignedMessage message, String field) {
    List<String> lines = message.lines(field);
    return lines.isEmpty() ? Map.of() : new Parser(lines).parseDictionary().get();
  }

  private static InnerList covered(ListElement<?> input) {
    if (input instanceof InnerList list) {
      return list;
    }
    throw new RefusedException(Refusal.MALFORMED);
  }

  /** As written by a strict encoder: else one signature could be written in several ways. */
  private static byte[] bytes(ListElement<?> signature, List<String> lines) {
    if (signature instanceof ByteSequenceItem sequence
        && lines.stream().anyMatch(line -> line.contains(sequence.serialize()))) {
      ByteBuffer buffer = sequence.get().duplicate();
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    }
    throw new RefusedException(Refusal.MALFORMED);
  }

  private static MessageSignature read(Written written) {
    Parameters parameters = written.covered().getParams();
    return new MessageSignature(
        written.covered(),
        written.bytes(),
        text(parameters.get("keyid")).map(KeyId::new).orElseThrow(MessageSignature::malformed),
        instant(parameters.get("created")).orElseThrow(MessageSignature::malformed),
        instant(parameters.get("expires")),
        text(parameters.get("alg")));
  }

  private static Optional<String> text(@Nullable Item<?> parameter) {
    if (parameter == null) {
      return Optional.empty();
    }
    if (parameter instanceof StringItem text) {
      return Optional.of(text.get());
    }
    throw malformed();
  }

  private static Optional<Instant> instant(@Nullable Item<?> parameter) {
    if (parameter == null) {
      return Optional.empty();
    }
    if (parameter instanceof IntegerItem seconds) {
      return Optional.of(Instant.ofEpochSecond(seconds.getAsLong()));
    }
    throw malformed();
  }

  private static RefusedException malformed() {
    return new RefusedException(Refusal.MALFORMED);
  }

  /** Whether it covers all of these fields and components, each as a whole. */
  boolean covers(Set<String> required) {
    return covered.get().stream()
        .map(Item::serialize)
        .collect(Collectors.toSet())
        .containsAll(required.stream().map(name -> '"' + name + '"').toList());
  }
}
