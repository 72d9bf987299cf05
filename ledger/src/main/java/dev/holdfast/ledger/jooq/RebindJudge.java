package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.jooq.ActJudge.Rebound;
import dev.holdfast.ledger.jooq.ActJudge.Refused;
import dev.holdfast.ledger.jooq.ActJudge.Ruling;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;

/** Which rebinds may be carried out. Pure: it looks at what was loaded alone. */
final class RebindJudge {
  private final ActFacts facts;
  private final OperationRow row;

  RebindJudge(ActFacts facts) {
    this.facts = facts;
    this.row = facts.row();
  }

  Ruling judge(Rebind rebind) {
    if (facts.operation().isHeld()) {
      return held(facts.operation().rest());
    }
    if (row.pendingEvidence() > 0) {
      return new Refused(new ActOutcome.EvidenceWaits(row.pendingEvidence()));
    }
    if (row.parkedReason() != null && !isCarriedOn(rebind)) {
      return refused("it waits for a person: resolve it first");
    }
    return switch (row.state()) {
      case CONFLICT -> refused("an effect was seen that contradicts it: resolve it first");
      case COMPLETED, FAILED -> settled(rebind);
      case UNKNOWN, IN_PROGRESS ->
          switch (rebind.mode()) {
            case CARRY -> new Rebound(rebind, OperationState.UNKNOWN);
            case ADOPT, RE_EXECUTE -> refused("its outcome is unknown: carry it");
          };
    };
  }

  /** It waits for nothing but a generation that is claimed. */
  private boolean isCarriedOn(Rebind rebind) {
    return rebind.mode() == Rebind.Mode.CARRY && ParkReason.SUPERSEDED.equals(row.parkedReason());
  }

  private Ruling settled(Rebind rebind) {
    return switch (rebind.mode()) {
      case ADOPT -> adopted(rebind);
      // an attempt that may still land, or did, would be an effect beside the next one
      case RE_EXECUTE ->
          facts.open().isEmpty()
              ? new Rebound(rebind, OperationState.UNKNOWN)
              : refused("an attempt is open: reopen it once none can land, and carry it then");
      case CARRY -> refused("it is settled: adopt its effect, or re-execute it");
    };
  }

  private Ruling adopted(Rebind rebind) {
    if (row.state() != OperationState.COMPLETED) {
      return refused("it failed, there is no effect to adopt: re-execute it");
    }
    return facts.operation().isResourceTaken()
        ? held(facts.operation().resourceRest())
        : new Rebound(rebind, OperationState.COMPLETED);
  }

  private Ruling refused(String cure) {
    return new Refused(new ActOutcome.NotApplicable(row.state(), cure));
  }

  private static Ruling held(Duration rest) {
    return new Refused(new ActOutcome.Held(rest));
  }
}
