package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.SettledFailure;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;

/** Ends a dispatched attempt without a receipt, and says what its caller gets. */
final class Ending {
  private final Barrier barrier;
  private final KeyDigest key;

  Ending(Barrier barrier, FencedRequest request) {
    this.barrier = barrier;
    this.key = request.keyDigest();
  }

  /** Records this end. */
  RuntimeException end(EffectScope scope, Conclusion.End conclusion) {
    return switch (conclusion.end()) {
      case AttemptEnd.Failed failed -> failed(scope, failed);
      case AttemptEnd.Refused refused -> refused(scope, refused, conclusion.cause());
      case AttemptEnd.Unclear unclear -> unclear(scope, unclear, conclusion.cause());
    };
  }

  /** The method returned without a dispatch: what it did, nobody knows. */
  RuntimeException noEvidence(EffectScope scope) {
    recordIfPossible(scope, new AttemptEnd.Unclear("no_evidence"));
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.UPSTREAM_UNVERIFIED,
        "no-evidence",
        key,
        "the activity returned without FencedEffect.current().send, dispatch or"
            + " inLedgerTransaction, so nothing proves its effect: send through one of them, or"
            + " declare @Fenced(evidence = RESULT) where the returned value is the proof");
  }

  /** Too little of the lease was left, and it could not be renewed. */
  RuntimeException marginTooThin(EffectScope scope) {
    recordIfPossible(scope, new AttemptEnd.Unclear("margin_too_thin"));
    return Refusals.leaseExpired(key);
  }

  /** Its evidence bears another tuple: it closes nothing, and nobody need wait the lease out. */
  RuntimeException quarantined(EffectScope scope) {
    recordIfPossible(scope, new AttemptEnd.Unclear("quarantined"));
    return Refusals.superseded(key, "quarantined");
  }

  /** The ledger rolled the effect back: closes the attempt, which did nothing. */
  void rolledBack(EffectScope scope) {
    recordIfPossible(scope, new AttemptEnd.Refused(0));
  }

  private RuntimeException failed(EffectScope scope, AttemptEnd.Failed end) {
    Lease lease = scope.assumeDispatched();
    return switch (barrier.border().end(lease, scope.lease(), end)) {
      case EndOutcome.Recorded(OperationView operation) -> failed(operation, end.failure());
      case EndOutcome.MarginTooThin thin -> Refusals.leaseExpired(key);
      case EndOutcome.Quarantined() -> Refusals.superseded(key, "quarantined");
      case EndOutcome.Contended() -> Refusals.contended(key);
    };
  }

  private RuntimeException failed(OperationView operation, SettledFailure failure) {
    return switch (operation.state()) {
      case FAILED -> Refusals.failedBefore(key, failure);
      case CONFLICT -> Refusals.conflicted(key);
      // an earlier attempt may still succeed, or did: the next one finds out
      case UNKNOWN, IN_PROGRESS, COMPLETED ->
          Refusals.refused(key, failure.status(), "rejected-while-open");
    };
  }

  private RuntimeException refused(
      EffectScope scope, AttemptEnd.Refused end, @Nullable Throwable cause) {
    recordIfPossible(scope, end);
    // after a rollback the activity's own exception says more than that nothing was done
    return cause == null
            || cause instanceof NotDispatchedException
            || Conclusion.declared(cause).isPresent()
        ? Refusals.refused(key, end.status(), refusedWord(cause))
        : Refusals.thrown(key, cause);
  }

  private static String refusedWord(@Nullable Throwable cause) {
    return cause instanceof NotDispatchedException unsent
        ? String.valueOf(unsent.getMessage())
        : "refused";
  }

  private RuntimeException unclear(
      EffectScope scope, AttemptEnd.Unclear end, @Nullable Throwable cause) {
    recordIfPossible(scope, end);
    // that a later dispatch did not begin says nothing of the one before
    return cause != null
            && end.reason().equals(Conclusion.THREW)
            && !(cause instanceof NotDispatchedException)
        ? Refusals.thrown(key, cause)
        : Refusals.unverified(key, end.reason());
  }

  /** What the caller gets does not depend on it: without it the lease runs out by itself. */
  private void recordIfPossible(EffectScope scope, AttemptEnd end) {
    try {
      var unused = barrier.border().end(scope.assumeDispatched(), scope.lease(), end);
    } catch (ApplicationFailure unavailable) {
      Transitions.notEnded(scope.holder(), end, unavailable);
    }
  }
}
