package dev.holdfast.activities.evidence;

import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The effect that the tests of this package are about, and its neighbours. */
final class Effects {
  static final EffectTuple EFFECT = of("tenant-ä", "Export:invoice-17", "request", 3, 1, "");

  private Effects() {}

  static EffectTuple of(
      String scope, String operation, String request, long generation, int epoch, String dispatch) {
    return new EffectTuple(
        new Tuple(
            new Scope(scope),
            OperationId.parse(operation),
            new RequestFingerprint("fp1", Sha256.ofUtf8(request)),
            new Generation(generation),
            new Epoch(epoch)),
        dispatch);
  }

  /** Fields as a client hands them over: by name, each with its lines. */
  static Map<String, List<String>> lines(Map<String, String> fields) {
    return fields.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, field -> List.of(field.getValue())));
  }
}
