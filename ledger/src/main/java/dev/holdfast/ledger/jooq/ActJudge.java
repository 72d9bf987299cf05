package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.PendingEvidence;
import dev.holdfast.ledger.settlement.PickUp;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which of a person's orders may be carried out. Pure: it looks at what was loaded alone. */
final class ActJudge {
  /** Whether an order may be carried out, and what it comes to. */
  sealed interface Ruling {}

  record Refused(ActOutcome outcome) implements Ruling {}

  /** It may. */
  sealed interface Allowed extends Ruling {
    /** The state it leads to. */
    OperationState after();

    /** Whether it would have been refused without force. */
    default boolean forced() {
      return false;
    }
  }

  /**
   * The effect happened, or so the person says.
   *
   * @param told what the person says
   * @param settled what the receipt is made of: the same, or stored evidence of the same effect;
   *     null where what is stored says otherwise
   */
  record Happened(SuccessEvidence told, @Nullable SuccessEvidence settled) implements Allowed {
    @Override
    public OperationState after() {
      return settled == null ? OperationState.CONFLICT : OperationState.COMPLETED;
    }
  }

  record DidNotHappen(boolean forced) implements Allowed {
    @Override
    public OperationState after() {
      return OperationState.UNKNOWN;
    }
  }

  record ReceiptStands() implements Allowed {
    @Override
    public OperationState after() {
      return OperationState.COMPLETED;
    }
  }

  record Failed(SettledFailure failure, boolean forced) implements Allowed {
    @Override
    public OperationState after() {
      return OperationState.FAILED;
    }
  }

  record Reopened(boolean forced) implements Allowed {
    @Override
    public OperationState after() {
      return OperationState.UNKNOWN;
    }
  }

  /** It belongs to a newer generation from now on. */
  record Rebound(Rebind rebind, OperationState after) implements Allowed {}

  private final ActFacts facts;
  private final OperationState state;

  ActJudge(ActFacts facts) {
    this.facts = facts;
    this.state = facts.row().state();
  }

  Ruling judge(Order order) {
    return switch (order.decision()) {
      case Decision.Happened happened -> happened(happened);
      case Decision.DidNotHappen not -> didNotHappen(not);
      case Decision.ReceiptStands stands -> receiptStands();
      case Decision.Failed failed -> failed(failed);
      case null ->
          order.rebind() == null
              ? reopen(order.force())
              : new RebindJudge(facts).judge(order.rebind());
    };
  }

  private Ruling happened(Decision.Happened happened) {
    return switch (state) {
      case COMPLETED, FAILED -> notApplicable("it is settled: reopen it to run it again");
      case UNKNOWN, IN_PROGRESS, CONFLICT ->
          facts.operation().isHeld()
              ? held(facts.operation().rest())
              : facts.operation().isResourceTaken()
                  ? held(facts.operation().resourceRest())
                  : happenedTo(happened);
    };
  }

  private Ruling happenedTo(Decision.Happened happened) {
    ClaimId attempt = happened.attempt();
    if (attempt != null && !facts.known().contains(attempt)) {
      return notApplicable("no attempt of this epoch bears that claim id: show names them");
    }
    ClaimId found = attempt == null ? theOnlyOpen() : attempt;
    EffectId effect = happened.effect();
    if (effect == null && !ParkReason.OPEN_ATTEMPT.equals(facts.row().parkedReason())) {
      return notApplicable(
          "name the effect as a late witness will: the key that was sent to the upstream, or the"
              + " upstream's own id; where it has neither, the attempt's claim id");
    }
    if (effect == null && found == null) {
      return notApplicable("several attempts are open: name the effect, or the attempt");
    }
    EffectId named = effect == null ? new EffectId(String.valueOf(found)) : effect;
    return settled(evidence(happened, named, found == null ? facts.claimId() : found));
  }

  private @Nullable ClaimId theOnlyOpen() {
    return facts.open().size() == 1 ? facts.open().getFirst().claimId() : null;
  }

  private SuccessEvidence evidence(Decision.Happened happened, EffectId effect, ClaimId attempt) {
    VerifiedResponse response =
        Mint.response(happened.status(), happened.evidence(), effect, EvidenceGrade.OPERATOR);
    return new SuccessEvidence(facts.row().tuple(), attempt, response, happened.result());
  }

  /** Stored witnesses are heard before the person; but in a conflict they were heard already. */
  private Ruling settled(SuccessEvidence told) {
    if (state == OperationState.CONFLICT) {
      return new Happened(told, told);
    }
    PickUp<SuccessEvidence> found =
        PendingEvidence.pickUp(
            told.tuple(),
            facts.stored(),
            told.observation(),
            facts.denied(),
            SettlementPolicy.STANDARD);
    return switch (found) {
      case PickUp.Nothing<SuccessEvidence> nothing -> new Happened(told, told);
      case PickUp.Completes<SuccessEvidence>(SuccessEvidence witness) ->
          new Happened(told, witness);
      case PickUp.Conflicts<SuccessEvidence> two -> new Happened(told, null);
    };
  }

  private Ruling didNotHappen(Decision.DidNotHappen decision) {
    return switch (state) {
      case COMPLETED, FAILED -> notApplicable("it is settled: reopen it to run it again");
      case CONFLICT ->
          notApplicable("an effect was seen: say which report holds, then reopen it if need be");
      case UNKNOWN, IN_PROGRESS ->
          facts.open().isEmpty() && facts.row().pendingEvidence() == 0
              ? notApplicable("no attempt is open: the next claim may dispatch")
              : withdrawn(decision.force(), decision.lookedAt(), DidNotHappen::new);
    };
  }

  private Ruling failed(Decision.Failed failed) {
    return switch (state) {
      case COMPLETED, FAILED -> notApplicable("it is settled: reopen it to run it again");
      case CONFLICT -> new Failed(failed.failure(), false);
      case UNKNOWN, IN_PROGRESS ->
          withdrawn(
              failed.force(), failed.lookedAt(), forced -> new Failed(failed.failure(), forced));
    };
  }

  /** Says that nothing happened, which no force may say over a witness. */
  private Ruling withdrawn(
      boolean force, @Nullable Instant lookedAt, Function<Boolean, Ruling> ruling) {
    if (facts.operation().isHeld()) {
      return held(facts.operation().rest());
    }
    int stored = facts.row().pendingEvidence();
    return stored > 0
        ? new Refused(new ActOutcome.EvidenceWaits(stored))
        : behindTheHorizon(force, lookedAt, ruling);
  }

  private Ruling behindTheHorizon(
      boolean force, @Nullable Instant lookedAt, Function<Boolean, Ruling> ruling) {
    Optional<ActOutcome> early =
        facts
            .horizonAhead(lookedAt)
            .map(horizon -> new ActOutcome.TooEarly(horizon, until(horizon)));
    return early.isPresent() && !force ? new Refused(early.get()) : ruling.apply(early.isPresent());
  }

  private Duration until(Instant horizon) {
    Duration left = Duration.between(facts.row().judgedAt(), horizon);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Ruling receiptStands() {
    boolean isLookedAt = state == OperationState.COMPLETED && facts.setAside() > 0;
    return isLookedAt || (state == OperationState.CONFLICT && facts.row().hasReceipt())
        ? new ReceiptStands()
        : notApplicable(
            "only a conflict that bears a receipt has one that can stand, or one beside which an"
                + " effect was set aside");
  }

  private Ruling reopen(boolean force) {
    return switch (state) {
      case COMPLETED, FAILED -> behindTheHorizon(force, null, Reopened::new);
      case UNKNOWN, IN_PROGRESS, CONFLICT -> notApplicable("it is not settled: resolve it first");
    };
  }

  private Ruling notApplicable(String cure) {
    return new Refused(new ActOutcome.NotApplicable(state, cure));
  }

  private static Ruling held(Duration rest) {
    return new Refused(new ActOutcome.Held(rest));
  }
}
