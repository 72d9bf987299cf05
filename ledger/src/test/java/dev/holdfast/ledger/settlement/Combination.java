package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.Example.Part;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One input of settlement, and the words for it in the table. */
record Combination(
    Standing standing,
    Kind kind,
    Set<Part> others,
    boolean sameEffect,
    boolean otherAttemptOpen,
    PayloadPolicy payload,
    TerminalPolicy terminal) {

  private static final SettledEffect SETTLED =
      new SettledEffect(Example.effect(1), Example.attempt(1));

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

  Verdict verdict() {
    return Settlement.settle(current(), observation(), new SettlementPolicy(payload, terminal));
  }

  boolean tupleMatches() {
    return others.isEmpty();
  }

  private CurrentOperation current() {
    return new CurrentOperation(
        standing.state(),
        Example.TUPLE,
        standing.lease(),
        standing.observer(),
        otherAttemptOpen,
        standing.state() == OperationState.COMPLETED ? SETTLED : null);
  }

  private Observation observation() {
    Tuple seen = Example.differingIn(others);
    int which = sameEffect ? 1 : 2;
    return switch (kind) {
      case SUCCEEDED ->
          new Observation.Succeeded(seen, Example.effect(which), Example.attempt(which));
      case FAILED -> new Observation.Failed(seen, Example.attempt(which));
      case REFUSED -> new Observation.Refused(seen);
      case IN_PROGRESS -> new Observation.InProgress(seen);
      case TIMED_OUT -> new Observation.TimedOut(seen);
      case LEASE_EXPIRED -> new Observation.LeaseExpired(seen);
    };
  }

  List<String> tupleWords() {
    return EnumSet.allOf(Part.class).stream()
        .map(part -> others.contains(part) ? "other" : "match")
        .toList();
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
