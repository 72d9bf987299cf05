package dev.holdfast.activities.evidence;

import dev.holdfast.ledger.settlement.Tuple;
import java.text.Normalizer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What an upstream signs to say which effect it speaks of: the reservation's tuple in one of its
 * executions, and which dispatch of the activity it was, so that the answer to one cannot stand for
 * another.
 *
 * @param dispatch the dispatch's name, at most 100 characters; empty for the one that needs none
 */
public record EffectTuple(Tuple tuple, String dispatch) {
  private static final int LIMIT = 100;

  public EffectTuple {
    if (dispatch.codePointCount(0, dispatch.length()) > LIMIT
        || dispatch.codePoints().anyMatch(Character::isISOControl)
        || !Normalizer.isNormalized(dispatch, Normalizer.Form.NFC)) {
      throw new IllegalArgumentException("no name of a dispatch");
    }
  }

  /**
   * The fields in which it travels, by name: sent with the request, and signed by the upstream as
   * they are. All are structured fields (RFC 8941).
   *
   * @throws IllegalArgumentException a number is too big for a structured field
   */
  public Map<String, String> fields() {
    return TupleFields.write(this);
  }

  /** The names of those fields. */
  public static Set<String> fieldNames() {
    return TupleFields.NAMES;
  }

  /**
   * The tuple that such fields hold.
   *
   * @param field the value of a field by its name as in {@link #fieldNames}
   * @throws IllegalArgumentException one is missing or none
   */
  public static EffectTuple of(Function<String, Optional<String>> field) {
    return TupleFields.read(field);
  }

  /** The first part that differs, in the order of the ledger's checks. */
  Optional<Refusal> difference(EffectTuple expected) {
    Tuple other = expected.tuple;
    if (!tuple.scope().equals(other.scope())) {
      return Optional.of(Refusal.OTHER_SCOPE);
    }
    if (!tuple.operation().equals(other.operation())) {
      return Optional.of(Refusal.OTHER_OPERATION);
    }
    if (!tuple.fingerprint().equals(other.fingerprint())) {
      return Optional.of(Refusal.OTHER_FINGERPRINT);
    }
    if (!tuple.generation().equals(other.generation())) {
      return Optional.of(Refusal.OTHER_GENERATION);
    }
    if (!tuple.epoch().equals(other.epoch())) {
      return Optional.of(Refusal.OTHER_EPOCH);
    }
    return dispatch.equals(expected.dispatch)
        ? Optional.empty()
        : Optional.of(Refusal.OTHER_DISPATCH);
  }
}
