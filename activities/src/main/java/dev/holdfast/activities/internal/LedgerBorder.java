package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.UpstreamContract;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.workflows.internal.FencedMethod;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ledger as the barrier calls it: logs each transition, renews where a margin is too thin, and
 * says a ledger out of reach in the failure of its side of the dispatch.
 */
final class LedgerBorder {
  private static final Duration NOT_THIN = Duration.ofSeconds(-1);

  /** Past the end and not at it, and never without a pause. */
  private static final Duration TICK = Duration.ofMillis(1);

  private final Ledger ledger;
  private final HoldfastSettings settings;
  private final LeaseKeeper keeper;

  LedgerBorder(Ledger ledger, HoldfastSettings settings, LeaseKeeper keeper) {
    this.ledger = ledger;
    this.settings = settings;
    this.keeper = keeper;
  }

  Ledger ledger() {
    return ledger;
  }

  /**
   * Claims. What a lost answer had granted may have been given back, where nobody could tell any
   * more how its gates stood: then a claim of another id asks them again.
   */
  Claim claim(FencedRequest request) {
    Claim claim = claimOnce(request);
    return claim instanceof Claim.Contended ? claimOnce(request) : claim;
  }

  private Claim claimOnce(FencedRequest request) {
    ClaimRequest claimed = request.claim(settings);
    try {
      Claim claim = ledger.claim(claimed);
      Transitions.claimed(request, claim);
      return claim;
    } catch (RuntimeException e) {
      Transitions.notClaimed(request, e);
      throw HoldfastFailures.ledgerUnavailable(
          word(e), "the ledger could not be asked, nothing was dispatched" + cure(e));
    }
  }

  /** The operation, where it is completed under the request's own tuple. */
  Optional<OperationView> completed(FencedRequest request) {
    Reservation own = request.reservation();
    try {
      return ledger
          .read(own.scope(), own.operation())
          .filter(view -> view.state() == OperationState.COMPLETED)
          .filter(view -> view.reservation().fingerprint().equals(own.fingerprint()))
          .filter(view -> view.reservation().generation().equals(own.generation()));
    } catch (RuntimeException e) {
      throw HoldfastFailures.ledgerUnavailable(
          word(e), "the ledger could not be asked, nothing was dispatched" + cure(e));
    }
  }

  /** Whether the receipt is of this claim's dispatch; false too where that cannot be told. */
  boolean isMadeOf(ClaimId claim, FencedRequest request) {
    try {
      return ledger
          .read(request.reservation().scope(), request.reservation().operation())
          .filter(view -> claim.equals(view.receiptClaim()))
          .isPresent();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Whether what is asked for is done already, or may be: true too where that cannot be told. Asked
   * for a message alone.
   */
  boolean mayHaveHappened(FencedRequest request) {
    try {
      return ledger
          .read(request.reservation().scope(), request.reservation().operation())
          .filter(LedgerBorder::mayHaveHappened)
          .isPresent();
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static boolean mayHaveHappened(OperationView view) {
    return switch (view.state()) {
      case COMPLETED, CONFLICT, IN_PROGRESS -> true;
      case UNKNOWN, FAILED -> view.openAttempts() > 0 || view.pendingEvidence() > 0;
    };
  }

  SettleOutcome settle(
      Lease lease, KeptLease kept, VerifiedResponse response, StoredResult result) {
    SettleOutcome outcome =
        withMargin(
            kept,
            () ->
                afterDispatch(
                    lease,
                    () -> AskAgain.whileLeased(kept, () -> ledger.settle(lease, response, result))),
            settled -> settled instanceof SettleOutcome.MarginTooThin(var left) ? left : NOT_THIN);
    Transitions.settled(lease, outcome);
    return outcome;
  }

  /**
   * Has a true success kept that bears another tuple: quarantined beside the attempt, which it does
   * not close. Its result is nobody's yet. Where the ledger cannot be told, the attempt stays open
   * all the same.
   */
  void setAside(Lease lease, VerifiedResponse other) {
    try {
      StoredResult unread = new StoredResult.NotStored(other.digest());
      Transitions.settled(lease, ledger.settle(lease, other, unread));
    } catch (RuntimeException e) {
      Transitions.unavailableAfterEffect(lease, e);
    }
  }

  EndOutcome end(Lease lease, KeptLease kept, AttemptEnd end) {
    EndOutcome outcome =
        withMargin(
            kept,
            () ->
                afterDispatch(
                    lease, () -> AskAgain.whileAwaited(kept, () -> ledger.end(lease, end))),
            ended -> ended instanceof EndOutcome.MarginTooThin(var left) ? left : NOT_THIN);
    Transitions.ended(lease, end, outcome);
    return outcome;
  }

  /** Gives an attempt back. Where that cannot be told to the ledger the lease runs out. */
  void abandon(UndispatchedLease lease) {
    try {
      Transitions.abandoned(lease, Interrupts.despite(() -> ledger.abandon(lease)));
    } catch (RuntimeException e) {
      Transitions.notAbandoned(lease, e);
    }
  }

  /** Tells what came of asking about earlier attempts. */
  ReconcileOutcome reconcile(ReconcilingLease lease, KeptLease kept, Finding finding) {
    boolean happened = finding instanceof Finding.Happened;
    Supplier<ReconcileOutcome> tell = () -> ledger.reconcile(lease, finding);
    Supplier<ReconcileOutcome> told =
        () ->
            afterDispatch(
                lease,
                () ->
                    happened
                        ? AskAgain.whileLeased(kept, tell)
                        : AskAgain.whileAwaited(kept, tell));
    // the lease goes on where it did not happen, so the keeper must not be put off
    ReconcileOutcome outcome =
        happened
            ? withMargin(
                kept,
                told,
                settled ->
                    settled instanceof ReconcileOutcome.MarginTooThin(var left) ? left : NOT_THIN)
            : told.get();
    Transitions.reconciled(lease, outcome);
    return outcome;
  }

  /** Gives a claim back that nobody here can find anything out for. */
  void notAsked(ReconcilingLease lease) {
    try {
      Finding notAsked = new Finding.NotKnownYet("not_asked");
      Transitions.reconciled(lease, Interrupts.despite(() -> ledger.reconcile(lease, notAsked)));
    } catch (RuntimeException e) {
      Transitions.notAbandoned(lease, e);
    }
  }

  /** An upstream that was never given its key cannot have honoured it. */
  void keyNotSent(FencedMethod method, HeldLease lease) {
    if (method.upstream() == UpstreamContract.HONOURS_KEY) {
      Transitions.keyNotSent(lease);
      settings.counters().countKeyNotSent();
    }
  }

  /**
   * Renews once where too little of the lease is left and asks again; where that did not help,
   * waits for the lease's end, so that the ledger can store the evidence of a holder whose lease is
   * over. The wait has an end of its own, because the ledger's clock may stand still, and is not
   * repeated for an attempt that nobody waits for.
   */
  private <T> T withMargin(KeptLease kept, Supplier<T> call, Function<T, Duration> thin) {
    kept.settling();
    T outcome = call.get();
    if (!thin.apply(outcome).isNegative()) {
      afterDispatch(kept.lease(), () -> Interrupts.despite(() -> keeper.renewNow(kept)));
      outcome = call.get();
    }
    kept.ended();
    LocalDeadline patience =
        LocalDeadline.after(System.nanoTime(), settings.leaseFor()).earlier(kept.attemptEnds());
    Duration left = thin.apply(outcome);
    while (!left.isNegative()) {
      await(left.plus(TICK));
      outcome = call.get();
      left = patience.isPast() ? NOT_THIN : thin.apply(outcome);
    }
    return outcome;
  }

  static void await(Duration left) {
    LocalDeadline over = LocalDeadline.after(System.nanoTime(), left);
    while (!over.isPast()) {
      LockSupport.parkNanos(over.rest().toNanos());
      Interrupts.clear();
    }
  }

  private static <T> T afterDispatch(HeldLease lease, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      // whatever it was: the effect may have happened
      Transitions.unavailableAfterEffect(lease, e);
      throw unavailableAfterEffect(lease, e);
    }
  }

  static ApplicationFailure unavailableAfterEffect(HeldLease lease, RuntimeException e) {
    KeyDigest key = Vocabulary.keyDigest(lease.reservation());
    return HoldfastFailures.retryable(
        HoldfastFailures.LEDGER_UNAVAILABLE_AFTER_EFFECT,
        word(e),
        key,
        "the ledger could not be told what became of operation #"
            + key
            + "; the effect may have happened, and the next attempt finds out first"
            + cure(e));
  }

  private static String word(RuntimeException e) {
    return switch (e) {
      case LedgerUnavailableException unavailable -> "unavailable";
      case LedgerAnswerLostException lost -> "answer-lost";
      case LedgerRefusedException refused -> "refused";
      default -> e.getClass().getSimpleName();
    };
  }

  /** Of the exceptions only a refusal is made to be shown: it names the cure. */
  private static String cure(RuntimeException e) {
    return e instanceof LedgerRefusedException refused ? ": " + refused.getMessage() : "";
  }
}
