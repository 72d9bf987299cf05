package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.interleaving.Happening.What;
import dev.holdfast.ledger.interleaving.Upstream.Effect;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the barrier as a worker does, and tells what it sees. Straight ahead it takes eight
 * steps: claim, dispatch, effect, verification, settlement, release, share, look. Every transaction
 * of the ledger is a step of its own.
 */
final class Worker implements Turns.Work {
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final int ROUNDS = 5;

  /** What it is like. */
  enum Habit {
    STEADY,
    /** Stands still when its request has arrived, for longer than its lease. */
    STALLS_AFTER_SENDING,
    /** Stands still between its last look at the lease and the request. */
    STALLS_BEFORE_SENDING,
    /** Stands still with its receipt in hand. */
    STALLS_BEFORE_RELEASING,
    /** Never hears what came of its first request, and says so. */
    LOSES_THE_ANSWER
  }

  private final String name;
  private final Habit habit;
  private final Ledger ledger;
  private final Scene scene;
  private boolean lucky;

  Worker(String name, Habit habit, Ledger ledger, Scene scene) {
    this.name = name;
    this.habit = habit;
    this.ledger = ledger;
    this.scene = scene;
  }

  @Override
  public void run() {
    boolean more = true;
    for (int round = 0; round < ROUNDS && more; round++) {
      more = goesOn(ledger.claim(request(scene.operation(), List.of())));
    }
    share();
    look();
  }

  /** Whether it has to claim again. */
  private boolean goesOn(Claim claim) {
    return switch (claim) {
      case Claim.Granted(UndispatchedLease lease) -> {
        told(What.GRANTED, lease, lease.claimId().toString());
        yield carriesOut(lease);
      }
      case Claim.Reconcile asking -> {
        told(What.ASKS, asking.lease(), asking.lease().claimId().toString());
        yield findsOut(asking);
      }
      case Claim.Replay(Completion completion, StoredResult result) ->
          ended(What.REPLAYED, completion.effect().value());
      case Claim.Busy busy -> again(What.BUSY);
      case Claim.Contended contended -> again(What.CONTENDED);
      case Claim.Parked(String reason) -> ended(What.PARKED, reason);
      case Claim.Rejected other -> ended(What.TURNED_AWAY, other.toString());
      case Claim.Superseded other -> ended(What.TURNED_AWAY, other.toString());
      case Claim.AlreadyFailed other -> ended(What.TURNED_AWAY, other.toString());
      case Claim.Conflicted other -> ended(What.TURNED_AWAY, other.toString());
      case Claim.GateClosed other -> ended(What.TURNED_AWAY, other.toString());
    };
  }

  private boolean carriesOut(UndispatchedLease undispatched) {
    Turns.point();
    Lease lease = undispatched.dispatch();
    stallIf(Habit.STALLS_BEFORE_SENDING, lease);
    Turns.point();
    Optional<Effect> effect =
        scene.upstream().send(lease.claimId().toString(), lease.token().value());
    told(
        effect.isPresent() ? What.SENT : What.FENCED_OFF,
        lease,
        effect.map(Effect::id).orElse("none"));
    if (effect.isEmpty()) {
      return gaveUp(lease, new AttemptEnd.Refused(412));
    }
    if (habit == Habit.LOSES_THE_ANSWER && !lucky) {
      lucky = true;
      return gaveUp(lease, new AttemptEnd.Unclear("answer_lost"));
    }
    stallIf(Habit.STALLS_AFTER_SENDING, lease);
    Turns.point();
    VerifiedResponse response = verified(response(effect.get()), false);
    return settled(lease, ledger.settle(lease, response, result(effect.get())));
  }

  private boolean findsOut(Claim.Reconcile asking) {
    Turns.point();
    Optional<Effect> found = scene.upstream().ask(asking.lease().token().value());
    Finding finding =
        found
            .<Finding>map(
                effect ->
                    new Finding.Happened(
                        verified(response(effect), true),
                        result(effect),
                        openAttempt(asking, effect)))
            .orElseGet(() -> new Finding.DidNotHappen(Finding.Finality.FENCED));
    return switch (ledger.reconcile(asking.lease(), finding)) {
      case ReconcileOutcome.Settled(SettleOutcome outcome) -> settled(asking.lease(), outcome);
      case ReconcileOutcome.MayDispatch(UndispatchedLease lease) -> {
        told(What.MAY_DISPATCH, lease, "");
        yield carriesOut(lease);
      }
      case ReconcileOutcome.ClaimAgain given -> again(What.GAVE_UP, asking.lease());
      case ReconcileOutcome.GivenBack given -> again(What.GAVE_UP, asking.lease());
      case ReconcileOutcome.Lost lost -> again(What.GAVE_UP, asking.lease());
      case ReconcileOutcome.Contended contended -> again(What.CONTENDED);
      case ReconcileOutcome.NotFinalYet other -> ended(What.TURNED_AWAY, other.toString());
      case ReconcileOutcome.Parked other -> ended(What.TURNED_AWAY, other.toString());
      case ReconcileOutcome.MarginTooThin other -> ended(What.TURNED_AWAY, other.toString());
    };
  }

  private static @Nullable ClaimId openAttempt(Claim.Reconcile asking, Effect effect) {
    return asking.open().stream()
        .map(OpenAttempt::claimId)
        .filter(open -> open.toString().equals(effect.claim()))
        .findFirst()
        .orElse(null);
  }

  private boolean settled(HeldLease lease, SettleOutcome outcome) {
    return switch (outcome) {
      case SettleOutcome.Committed committed -> {
        told(What.COMMITTED, lease, lease.claimId().toString());
        stallIf(Habit.STALLS_BEFORE_RELEASING, lease);
        boolean released = ledger.release(committed.permit()) instanceof ReleaseOutcome.Released;
        told(released ? What.RELEASED : What.NOT_RELEASED, lease, "");
        yield false;
      }
      case SettleOutcome.Preempted stored -> stored(lease);
      case SettleOutcome.LeaseExpired stored -> stored(lease);
      case SettleOutcome.AlreadySettled settled -> again(What.SETTLED_BEFORE);
      case SettleOutcome.Contended contended -> again(What.CONTENDED);
      case SettleOutcome.MarginTooThin other -> ended(What.TURNED_AWAY, other.toString());
      case SettleOutcome.Quarantined other -> ended(What.TURNED_AWAY, other.toString());
    };
  }

  private boolean stored(HeldLease lease) {
    told(What.STORED, lease, lease.claimId().toString());
    return true;
  }

  private boolean gaveUp(Lease lease, AttemptEnd end) {
    ledger.end(lease, end);
    return again(What.GAVE_UP, lease);
  }

  private void stallIf(Habit when, HeldLease lease) {
    if (habit == when) {
      Turns.point();
      if (scene.raw().runOut(scene.operation().operation().text(), lease.claimId().toString())) {
        told(What.STALLED, lease, lease.claimId().toString());
      }
    }
  }

  /** Asks for the completion with a second operation; whether it stands is looked up past it. */
  private void share() {
    Turns.point();
    boolean stands = scene.raw().isCompleted(scene.operation().operation().text());
    Claim share = scene.unpaused().claim(request(scene.share(name), List.of(scene.hoped())));
    boolean open = share instanceof Claim.Granted;
    tell(open ? What.GATE_OPEN : What.GATE_CLOSED, 0, String.valueOf(stands));
  }

  private void look() {
    Turns.point();
    Reservation operation = scene.operation();
    if (ledger.read(operation.scope(), operation.operation()).isEmpty()) {
      throw new AssertionError("an operation that was claimed cannot be read");
    }
  }

  private ClaimRequest request(Reservation reservation, List<Completion> gates) {
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName(name),
        new AttemptOrigin("default", "workflow", "run", "activity", 1),
        LEASE,
        LEASE,
        LEASE,
        LeaseMargin.STANDARD,
        rule(),
        SettlementPolicy.STANDARD,
        gates);
  }

  private OpenAttemptRule rule() {
    return switch (scene.upstream().contract()) {
      case HONOURS_KEY ->
          new OpenAttemptRule.SameKeyAgain(
              Duration.ofDays(1), Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen());
      case VERIFIABLE -> new OpenAttemptRule.AskFirst();
      case OPAQUE -> new OpenAttemptRule.ParkWhileOpen();
    };
  }

  private static UpstreamResponse response(Effect effect) {
    return new UpstreamResponse(
        200,
        true,
        effect.id().getBytes(StandardCharsets.UTF_8),
        List.of(),
        new EffectId(effect.id()));
  }

  private static VerifiedResponse verified(UpstreamResponse response, boolean asked) {
    Verification verification =
        asked
            ? response.verifyFound(UpstreamResponse.DigestRule.OPTIONAL)
            : response.verify(UpstreamResponse.DigestRule.OPTIONAL);
    return switch (verification) {
      case Verification.Verified(VerifiedResponse done) -> done;
      case Verification.Unverified unverified -> throw new AssertionError(unverified.reason());
    };
  }

  private static StoredResult result(Effect effect) {
    return new StoredResult.Value(effect.id().getBytes(StandardCharsets.UTF_8));
  }

  private boolean again(What what) {
    tell(what, 0, "");
    return true;
  }

  private boolean again(What what, HeldLease lease) {
    told(what, lease, "");
    return true;
  }

  private boolean ended(What what, String detail) {
    tell(what, 0, detail);
    return false;
  }

  private void told(What what, HeldLease lease, String detail) {
    tell(what, lease.token().value(), detail);
  }

  private void tell(What what, long token, String detail) {
    scene.happened().add(new Happening(name, what, token, detail));
  }
}
