package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.activities.internal.Attempted.Returned;
import dev.holdfast.activities.internal.Attempted.Threw;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.VerifiedResponse;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor.ActivityOutput;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The barrier around one attempt of a fenced activity. Its methods stand in the order of the steps:
 * the request was taken before (1); claim (2), dispatch (3), verify (4), settle and confirm (5, 6),
 * release (7).
 */
final class FencedCall {
  private final Barrier barrier;
  private final FencedRequest request;
  private final ResultCodec codec;
  private final WaitInPlace waiting;

  FencedCall(Barrier barrier, FencedRequest request, ResultCodec codec, WaitInPlace waiting) {
    this.barrier = barrier;
    this.request = request;
    this.codec = codec;
    this.waiting = waiting;
  }

  /**
   * Runs the activity under a fresh lease, or answers with what an earlier attempt left.
   *
   * @throws RuntimeException a failure of {@link HoldfastFailures}, or what the activity threw
   */
  ActivityOutput run(Supplier<ActivityOutput> activity) {
    return switch (claim()) {
      case Claim.Granted(UndispatchedLease lease) ->
          kept(lease, kept -> underLease(lease, kept, activity));
      case Claim.Reconcile(ReconcilingLease lease, var open) ->
          kept(lease, kept -> findOut(lease, kept, open, activity));
      case Claim.Answer answer -> withoutLease(answer);
    };
  }

  private Claim claim() {
    Supplier<Claim> ask = () -> barrier.border().claim(request);
    Claim first = ask.get();
    return first instanceof Claim.Busy
        ? barrier.waiters().orElse(first, request.reservation(), () -> waiting.untilNotBusy(ask))
        : first;
  }

  /**
   * The stored result of an operation that is completed under this very tuple, even where its
   * binding was rotated since, which a claim would refuse; else as {@link #run}.
   */
  ActivityOutput fetch(Supplier<ActivityOutput> activity) {
    return barrier
        .border()
        .completed(request)
        .map(operation -> new SettledElsewhere(request, codec).replay(operation))
        .orElseGet(() -> run(activity));
  }

  private ActivityOutput withoutLease(Claim.Answer answer) {
    return switch (answer) {
      case Claim.Replay(Completion completion, StoredResult result) ->
          codec.output(result, Vocabulary.ref(completion), true);
      case Claim.Busy(var retryAfter) ->
          throw Refusals.busy(request.keyDigest(), retryAfter, request.time());
      case Claim.Rejected(var difference) ->
          throw Refusals.rejected(request.keyDigest(), difference);
      case Claim.Superseded(var current) ->
          throw Refusals.rotated(
              request.keyDigest(), current, barrier.border().mayHaveHappened(request));
      case Claim.AlreadyFailed(var failure) ->
          throw Refusals.failedBefore(request.keyDigest(), failure);
      case Claim.Conflicted() -> throw Refusals.conflicted(request.keyDigest());
      case Claim.Parked(String reason) -> throw Refusals.parked(request.keyDigest(), reason);
      case Claim.GateClosed closed -> throw Refusals.gateClosed(request.keyDigest(), closed);
      case Claim.Contended() -> throw Refusals.contended(request.keyDigest());
    };
  }

  private ActivityOutput kept(HeldLease lease, Function<KeptLease, ActivityOutput> body) {
    LocalDeadline holdUntil = request.holdUntil(lease.expiry(), barrier.settings());
    KeptLease kept = barrier.keeper().keep(lease, holdUntil, request.time().attemptEnds());
    try {
      return body.apply(kept);
    } finally {
      barrier.keeper().forget(kept);
    }
  }

  /**
   * An earlier attempt may have had its effect: only a final "did not happen" lets one dispatch.
   */
  private ActivityOutput findOut(
      ReconcilingLease lease,
      KeptLease kept,
      List<OpenAttempt> open,
      Supplier<ActivityOutput> activity) {
    return switch (new Reconciling(barrier, request, codec).ask(lease, kept, open)) {
      case Found.Happened(SettleOutcome outcome, StoredResult result) ->
          settled(lease, outcome, result);
      case Found.Cleared(UndispatchedLease cleared) -> underLease(cleared, kept, activity);
      case Found.Evidence(RuntimeException failure) -> pickedUp(lease, failure);
      case Found.Unknown(RuntimeException failure) -> throw failure;
    };
  }

  private ActivityOutput underLease(
      UndispatchedLease lease, KeptLease kept, Supplier<ActivityOutput> activity) {
    EffectScope scope =
        new EffectScope(
            barrier.border().ledger(),
            request.method(),
            lease,
            kept,
            kept.holdUntil(),
            codec,
            request.attesting());
    Attempted attempted = dispatch(scope, activity);
    // from here on nobody may dispatch any more
    return conclude(scope, lease, attempted);
  }

  private Attempted dispatch(EffectScope scope, Supplier<ActivityOutput> activity) {
    try {
      if (request.method().evidence() == EvidenceRule.RESULT) {
        scope.beginWithMethod();
      }
      return new Returned(scope.around(activity).getResult());
    } catch (Throwable thrown) {
      return new Threw(thrown);
    } finally {
      Interrupts.clear();
    }
  }

  private ActivityOutput conclude(
      EffectScope scope, UndispatchedLease undispatched, Attempted attempted) {
    EvidenceRule evidence = request.method().evidence();
    Conclusion conclusion = Conclusion.of(scope.state(), attempted, evidence, scope.keyRead());
    scope.setAside().forEach(other -> barrier.border().setAside(scope.assumeDispatched(), other));
    return switch (conclusion) {
      case Conclusion.GiveBack(Throwable thrown) -> {
        barrier.border().abandon(undispatched);
        throw Refusals.thrown(request.keyDigest(), thrown);
      }
      case Conclusion.Settle(VerifiedResponse response, Object value) ->
          settle(scope, response, codec.keep(value));
      case Conclusion.SettleByResult(Object value) ->
          settle(scope, scope.verified(codec.witnessed(value)), codec.keep(value));
      case Conclusion.SettledAlready(SettleOutcome outcome, StoredResult result) ->
          settledInTransaction(scope, outcome, result);
      case Conclusion.End end -> throw new Ending(barrier, request).end(scope, end);
      case Conclusion.NoEvidence() -> throw new Ending(barrier, request).noEvidence(scope);
    };
  }

  private ActivityOutput settle(EffectScope scope, VerifiedResponse response, StoredResult result) {
    if (!scope.everyKeyRead()) {
      barrier.border().keyNotSent(request.method(), scope.holder());
    }
    SettleOutcome outcome =
        barrier.border().settle(scope.assumeDispatched(), scope.lease(), response, result);
    if (outcome instanceof SettleOutcome.MarginTooThin) {
      throw new Ending(barrier, request).marginTooThin(scope);
    }
    if (outcome instanceof SettleOutcome.Quarantined) {
      throw new Ending(barrier, request).quarantined(scope);
    }
    return settled(scope.holder(), outcome, result);
  }

  private ActivityOutput settled(HeldLease holder, SettleOutcome outcome, StoredResult result) {
    return switch (outcome) {
      case SettleOutcome.Committed(var receipt, var permit) -> {
        barrier.aside().release(permit);
        yield codec.output(result, Vocabulary.ref(receipt.completion()), false);
      }
      case SettleOutcome.Preempted() ->
          pickedUp(holder, Refusals.leasePreempted(request.keyDigest()));
      case SettleOutcome.LeaseExpired() ->
          pickedUp(holder, Refusals.leaseExpired(request.keyDigest()));
      case SettleOutcome.MarginTooThin thin -> throw Refusals.leaseExpired(request.keyDigest());
      case SettleOutcome.Quarantined() ->
          throw Refusals.superseded(request.keyDigest(), "quarantined");
      case SettleOutcome.AlreadySettled(var operation) ->
          new SettledElsewhere(request, codec).read(operation, holder.claimId());
      case SettleOutcome.Contended() -> throw Refusals.contended(request.keyDigest());
    };
  }

  private ActivityOutput settledInTransaction(
      EffectScope scope, SettleOutcome outcome, StoredResult result) {
    return switch (outcome) {
      case SettleOutcome.Committed committed -> settled(scope.holder(), committed, result);
      case SettleOutcome.AlreadySettled elsewhere -> settled(scope.holder(), elsewhere, result);
      // nothing was done, so nothing waits to be picked up
      case SettleOutcome.Preempted() -> throw rolledBack(scope, Refusals::leasePreempted);
      case SettleOutcome.LeaseExpired() -> throw rolledBack(scope, Refusals::leaseExpired);
      case SettleOutcome.MarginTooThin thin -> throw rolledBack(scope, Refusals::leaseExpired);
      case SettleOutcome.Quarantined() ->
          throw rolledBack(scope, key -> Refusals.superseded(key, "quarantined"));
      case SettleOutcome.Contended() -> throw rolledBack(scope, Refusals::contended);
    };
  }

  private RuntimeException rolledBack(
      EffectScope scope, Function<KeyDigest, ApplicationFailure> failure) {
    new Ending(barrier, request).rolledBack(scope);
    return failure.apply(request.keyDigest());
  }

  /** The evidence is stored; whoever claims next picks it up, so this attempt claims once more. */
  private ActivityOutput pickedUp(HeldLease holder, RuntimeException violation) {
    Claim claim;
    try {
      claim = barrier.border().claim(request);
    } catch (ApplicationFailure unavailable) {
      // its message says that nothing was dispatched; this attempt has
      throw violation;
    }
    return switch (claim) {
      case Claim.Granted(UndispatchedLease lease) -> {
        barrier.border().abandon(lease);
        throw violation;
      }
      case Claim.Reconcile(ReconcilingLease lease, var open) -> {
        barrier.border().notAsked(lease);
        throw violation;
      }
      case Claim.Busy busy -> throw violation;
      case Claim.Contended contended -> throw violation;
      case Claim.GateClosed closed -> throw violation;
      // whoever only looks picks it up, whatever became of the binding
      case Claim.Superseded superseded -> throw violation;
      case Claim.Replay(Completion completion, StoredResult result) ->
          codec.output(
              result,
              Vocabulary.ref(completion),
              !barrier.border().isMadeOf(holder.claimId(), request));
      case Claim.Answer answer -> withoutLease(answer);
    };
  }
}
