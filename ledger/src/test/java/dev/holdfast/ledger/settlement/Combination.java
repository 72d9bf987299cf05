package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** One input of settlement, and the words for it in the table. */
record Combination(
    Standing standing,
    Kind kind,
    Set<Part> others,
    boolean sameEffect,
    boolean otherAttemptOpen,
    PayloadPolicy payload,
    TerminalPolicy terminal) {

  private static final Tuple TUPLE =
      new Tuple(
          new Scope("tenant"),
          new OperationId("export", "doc-1"),
          new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
          new Generation(3),
          new Epoch(1));
  private static final SettledEffect SETTLED =
      new SettledEffect(new EffectId("effect-1"), new ClaimId(new UUID(0, 1)));

  /** How operation, lease and observer stand to each other. */
  record Standing(OperationState state, LeaseStanding lease, ObserverStanding observer) {
    List<String> words() {
      String live = lease == LeaseStanding.THIN ? "live" : word(lease);
      String margin = lease == LeaseStanding.THIN ? "thin" : "ok";
      return List.of(state.word(), live, margin, word(observer));
    }
  }

  /** The kinds of observation. */
  enum Kind {
    SUCCEEDED,
    FAILED,
    REFUSED,
    IN_PROGRESS,
    TIMED_OUT,
    LEASE_EXPIRED
  }

  /** The parts of the tuple, in the order of the table. */
  enum Part {
    SCOPE,
    OPERATION,
    FINGERPRINT,
    GENERATION,
    EPOCH
  }

  Verdict verdict() {
    return Settlement.settle(current(), observation(), new SettlementPolicy(payload, terminal));
  }

  boolean tupleMatches() {
    return others.isEmpty();
  }

  private CurrentOperation current() {
    return new CurrentOperation(
        standing.state(),
        TUPLE,
        standing.lease(),
        standing.observer(),
        otherAttemptOpen,
        standing.state() == OperationState.COMPLETED ? SETTLED : null);
  }

  private Observation observation() {
    Tuple seen = observedTuple();
    EffectId effect = sameEffect ? SETTLED.effect() : new EffectId("effect-2");
    ClaimId attempt = sameEffect ? SETTLED.attempt() : new ClaimId(new UUID(0, 2));
    return switch (kind) {
      case SUCCEEDED -> new Observation.Succeeded(seen, effect, attempt);
      case FAILED -> new Observation.Failed(seen, attempt);
      case REFUSED -> new Observation.Refused(seen);
      case IN_PROGRESS -> new Observation.InProgress(seen);
      case TIMED_OUT -> new Observation.TimedOut(seen);
      case LEASE_EXPIRED -> new Observation.LeaseExpired(seen);
    };
  }

  private Tuple observedTuple() {
    return new Tuple(
        differs(Part.SCOPE) ? new Scope("another tenant") : TUPLE.scope(),
        differs(Part.OPERATION) ? new OperationId("export", "doc-2") : TUPLE.operation(),
        differs(Part.FINGERPRINT)
            ? new RequestFingerprint("fp1", Sha256.ofUtf8("another request"))
            : TUPLE.fingerprint(),
        differs(Part.GENERATION) ? new Generation(4) : TUPLE.generation(),
        differs(Part.EPOCH) ? new Epoch(0) : TUPLE.epoch());
  }

  private boolean differs(Part part) {
    return others.contains(part);
  }

  List<String> tupleWords() {
    return EnumSet.allOf(Part.class).stream().map(p -> differs(p) ? "other" : "match").toList();
  }

  String effectWord() {
    return sameEffect ? "same" : "other";
  }

  String openWord() {
    return otherAttemptOpen ? "some" : "none";
  }

  String payloadWord() {
    return payload == PayloadPolicy.CONFLICT ? "conflict" : "first_commit";
  }

  String terminalWord() {
    return terminal == TerminalPolicy.CONFLICT ? "conflict" : "first_commit";
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
