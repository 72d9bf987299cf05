package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import java.util.Set;
import java.util.UUID;

/** One operation, and what may be observed of it. */
final class Example {
  static final Tuple TUPLE =
      new Tuple(
          new Scope("tenant"),
          new OperationId("export", "doc-1"),
          new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
          new Generation(3),
          new Epoch(1));

  private static final Tuple STRANGE =
      new Tuple(
          new Scope("another tenant"),
          new OperationId("export", "doc-2"),
          new RequestFingerprint("fp1", Sha256.ofUtf8("another request")),
          new Generation(4),
          new Epoch(0));

  private Example() {}

  /** The parts of the tuple, in the order of the table. */
  enum Part {
    SCOPE,
    OPERATION,
    FINGERPRINT,
    GENERATION,
    EPOCH
  }

  /** A success in storage. */
  record Evidence(Observation.Succeeded observation) implements StoredSuccess {}

  static Tuple differingIn(Set<Part> parts) {
    return new Tuple(
        (parts.contains(Part.SCOPE) ? STRANGE : TUPLE).scope(),
        (parts.contains(Part.OPERATION) ? STRANGE : TUPLE).operation(),
        (parts.contains(Part.FINGERPRINT) ? STRANGE : TUPLE).fingerprint(),
        (parts.contains(Part.GENERATION) ? STRANGE : TUPLE).generation(),
        (parts.contains(Part.EPOCH) ? STRANGE : TUPLE).epoch());
  }

  static EffectId effect(int number) {
    return new EffectId("effect-" + number);
  }

  static ClaimId attempt(int number) {
    return new ClaimId(new UUID(0, number));
  }

  static Observation.Succeeded succeeded(int effect, int attempt) {
    return new Observation.Succeeded(TUPLE, effect(effect), attempt(attempt));
  }

  static Observation.Failed failed(int attempt) {
    return new Observation.Failed(TUPLE, attempt(attempt));
  }

  static Observation.Refused refused() {
    return new Observation.Refused(TUPLE);
  }

  static Observation.InProgress atWork() {
    return new Observation.InProgress(TUPLE);
  }

  static Observation.TimedOut timedOut() {
    return new Observation.TimedOut(TUPLE);
  }

  static Observation.LeaseExpired leaseExpired() {
    return new Observation.LeaseExpired(TUPLE);
  }
}
