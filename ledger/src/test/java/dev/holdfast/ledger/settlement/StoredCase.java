package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.settlement.Example.Evidence;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** One way in which stored successes meet an answer of the holder that picks them up. */
record StoredCase(Stored stored, Own own, PayloadPolicy payload, TerminalPolicy terminal) {
  /** What is stored. */
  enum Stored {
    ONE_SUCCESS("one success"),
    ONE_EFFECT_TWICE("two successes of one effect"),
    TWO_EFFECTS("successes of two effects"),
    ONE_SUCCESS_DENIED("one success that its attempt denied"),
    ONE_EFFECT_DENIED("two successes of one effect that the second attempt denied");

    final String words;

    Stored(String words) {
      this.words = words;
    }
  }

  /** What the holder itself has to say. */
  enum Own {
    NOTHING("none: a claim"),
    SAME_EFFECT("succeeded, the same effect"),
    OTHER_EFFECT("succeeded, another effect"),
    FAILED_THAT_ATTEMPT("failed, the first stored attempt"),
    FAILED_OTHER_ATTEMPT("failed, another attempt");

    final String words;

    Own(String words) {
      this.words = words;
    }
  }

  static Stream<StoredCase> all() {
    List<StoredCase> all = new ArrayList<>();
    for (Stored stored : Stored.values()) {
      for (Own own : Own.values()) {
        for (PayloadPolicy payload : PayloadPolicy.values()) {
          for (TerminalPolicy terminal : TerminalPolicy.values()) {
            all.add(new StoredCase(stored, own, payload, terminal));
          }
        }
      }
    }
    return all.stream();
  }

  String outcome() {
    return switch (pickUp()) {
      case PickUp.Nothing<Evidence> none -> "nothing";
      case PickUp.Completes<Evidence> completes -> "receipt → completed";
      case PickUp.Conflicts<Evidence> conflicts -> "no receipt → conflict";
    };
  }

  private PickUp<Evidence> pickUp() {
    SettlementPolicy policy = new SettlementPolicy(payload, terminal);
    return switch (own) {
      case NOTHING -> PendingEvidence.pickUp(Example.TUPLE, evidence(), denied(), policy);
      case SAME_EFFECT -> with(Example.succeeded(1, 3), policy);
      case OTHER_EFFECT -> with(Example.succeeded(3, 3), policy);
      case FAILED_THAT_ATTEMPT -> with(Example.failed(1), policy);
      case FAILED_OTHER_ATTEMPT -> with(Example.failed(3), policy);
    };
  }

  private PickUp<Evidence> with(Observation.Definite answer, SettlementPolicy policy) {
    return PendingEvidence.pickUp(Example.TUPLE, evidence(), answer, denied(), policy);
  }

  private List<Evidence> evidence() {
    Evidence first = new Evidence(Example.succeeded(1, 1));
    return switch (stored) {
      case ONE_SUCCESS, ONE_SUCCESS_DENIED -> List.of(first);
      case ONE_EFFECT_TWICE, ONE_EFFECT_DENIED ->
          List.of(first, new Evidence(Example.succeeded(1, 2)));
      case TWO_EFFECTS -> List.of(first, new Evidence(Example.succeeded(2, 2)));
    };
  }

  private Set<ClaimId> denied() {
    return switch (stored) {
      case ONE_SUCCESS, ONE_EFFECT_TWICE, TWO_EFFECTS -> Set.of();
      case ONE_SUCCESS_DENIED -> Set.of(Example.attempt(1));
      case ONE_EFFECT_DENIED -> Set.of(Example.attempt(2));
    };
  }
}
