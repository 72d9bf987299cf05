package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/**
 * The tuple as header fields. Text travels as byte sequences of its UTF-8, because structured
 * fields (RFC 8941) hold no other text than ASCII; the fingerprint is a dictionary of one digest by
 * its scheme, as {@code Content-Digest} is.
 */
final class TupleFields {
  private static final String SCOPE = "Holdfast-Scope";
  private static final String OPERATION = "Holdfast-Operation";
  private static final String FINGERPRINT = "Holdfast-Fingerprint";
  private static final String GENERATION = "Holdfast-Generation";
  private static final String EPOCH = "Holdfast-Epoch";
  private static final String DISPATCH = "Holdfast-Dispatch";

  static final Set<String> NAMES =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(List.of(SCOPE, OPERATION, FINGERPRINT, GENERATION, EPOCH, DISPATCH)));

  private TupleFields() {}

  static Map<String, String> write(EffectTuple effect) {
    Tuple tuple = effect.tuple();
    ListElement<?> digest = ByteSequenceItem.valueOf(tuple.fingerprint().digest().bytes());
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(SCOPE, text(tuple.scope().value()));
    fields.put(OPERATION, text(tuple.operation().text()));
    fields.put(
        FINGERPRINT, Dictionary.valueOf(Map.of(tuple.fingerprint().scheme(), digest)).serialize());
    fields.put(GENERATION, IntegerItem.valueOf(tuple.generation().value()).serialize());
    fields.put(EPOCH, IntegerItem.valueOf(tuple.epoch().value()).serialize());
    fields.put(DISPATCH, text(effect.dispatch()));
    return fields;
  }

  static EffectTuple read(Function<String, Optional<String>> field) {
    Tuple tuple =
        new Tuple(
            new Scope(text(field, SCOPE)),
            OperationId.parse(text(field, OPERATION)),
            fingerprint(value(field, FINGERPRINT)),
            new Generation(number(field, GENERATION)),
            epoch(number(field, EPOCH)));
    return new EffectTuple(tuple, text(field, DISPATCH));
  }

  private static Epoch epoch(long number) {
    if (number != (int) number) {
      throw new IllegalArgumentException("no execution number");
    }
    return new Epoch((int) number);
  }

  private static String value(Function<String, Optional<String>> field, String name) {
    return field
        .apply(name)
        .orElseThrow(() -> new IllegalArgumentException("the field " + name + " is missing"));
  }

  private static String text(String value) {
    return ByteSequenceItem.valueOf(value.getBytes(UTF_8)).serialize();
  }

  private static String text(Function<String, Optional<String>> field, String name) {
    try {
      // a decoder of its own refuses what is no UTF-8, which a String's would replace
      return UTF_8.newDecoder().decode(bytes(plain(value(field, name)))).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the field " + name + " is no UTF-8", e);
    }
  }

  private static long number(Function<String, Optional<String>> field, String name) {
    if (plain(value(field, name)) instanceof IntegerItem number) {
      return number.getAsLong();
    }
    throw new IllegalArgumentException("the field " + name + " is no integer");
  }

  private static RequestFingerprint fingerprint(String value) {
    Map<String, ListElement<?>> members = Parser.parseDictionary(value).get();
    if (members.size() != 1) {
      throw new IllegalArgumentException("not one fingerprint");
    }
    Map.Entry<String, ListElement<?>> only = members.entrySet().iterator().next();
    ByteBuffer digest = bytes(unadorned(only.getValue()));
    byte[] sha256 = new byte[digest.remaining()];
    digest.get(sha256);
    return new RequestFingerprint(only.getKey(), Sha256.ofDigest(sha256));
  }

  private static Item<?> plain(String value) {
    Item<?> item = Parser.parseItem(value);
    unadorned(item);
    return item;
  }

  /** A parameter would be a part of the value that nobody compares. */
  private static ListElement<?> unadorned(ListElement<?> element) {
    if (!element.getParams().isEmpty()) {
      throw new IllegalArgumentException("a parameter in a field that has none");
    }
    return element;
  }

  private static ByteBuffer bytes(Object item) {
    if (item instanceof ByteSequenceItem sequence) {
      return sequence.get().duplicate();
    }
    throw new IllegalArgumentException("no byte sequence");
  }
}
