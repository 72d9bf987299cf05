package dev.holdfast.activities.internal;

import dev.holdfast.KeyDigest;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks what became of earlier attempts, and tells the ledger. What does not fit or is thrown on the
 * way is no answer: still unknown.
 */
final class Reconciling {
  private static final Finding NOT_ASKED = new Finding.NotKnownYet("not_asked");

  private final Barrier barrier;
  private final FencedRequest request;
  private final ResultCodec codec;

  Reconciling(Barrier barrier, FencedRequest request, ResultCodec codec) {
    this.barrier = barrier;
    this.request = request;
    this.codec = codec;
  }

  Found ask(ReconcilingLease lease, KeptLease kept, List<OpenAttempt> open) {
    Finding finding = finding(lease, kept, open);
    ReconcileOutcome outcome = barrier.border().reconcile(lease, kept, finding);
    if (!finding.equals(NOT_ASKED)) {
      barrier.settings().counters().countReconciled();
    }
    return found(finding, outcome);
  }

  private Found found(Finding finding, ReconcileOutcome reconciled) {
    KeyDigest key = request.keyDigest();
    return switch (reconciled) {
      case ReconcileOutcome.Settled(var outcome) -> new Found.Happened(outcome, result(finding));
      case ReconcileOutcome.MayDispatch(var dispatching) -> new Found.Cleared(dispatching);
      case ReconcileOutcome.ClaimAgain() ->
          new Found.Evidence(Refusals.stillUnknown(key, "evidence_arrived"));
      case ReconcileOutcome.NotFinalYet(var until) ->
          new Found.Unknown(Refusals.notFinalYet(key, until, request.time()));
      case ReconcileOutcome.Parked(String reason) ->
          new Found.Unknown(Refusals.parked(key, reason));
      case ReconcileOutcome.GivenBack() ->
          new Found.Unknown(Refusals.stillUnknown(key, reason(finding)));
      case ReconcileOutcome.Lost() -> new Found.Unknown(Refusals.leaseExpired(key));
      case ReconcileOutcome.MarginTooThin thin -> new Found.Unknown(Refusals.leaseExpired(key));
      case ReconcileOutcome.Contended() -> new Found.Unknown(Refusals.contended(key));
    };
  }

  private static StoredResult result(Finding finding) {
    return finding instanceof Finding.Happened happened
        ? happened.result()
        : new StoredResult.NoValue();
  }

  private static String reason(Finding finding) {
    return finding instanceof Finding.NotKnownYet(String reason) ? reason : "given_back";
  }

  private Finding finding(ReconcilingLease lease, KeptLease kept, List<OpenAttempt> open) {
    Reconciles<?> reconciler = request.question().reconciler();
    if (reconciler == null || !kept.isGoodFor(Duration.ZERO)) {
      return NOT_ASKED;
    }
    try {
      return read(
          reconciler.reconcile(request.question().inquiry(lease, open)), reconciler, lease, open);
    } catch (Throwable thrown) {
      Transitions.questionFailed(lease, thrown);
      return new Finding.NotKnownYet("reconciler_threw");
    } finally {
      Interrupts.clear();
    }
  }

  private Finding read(
      Reconciled<?> answer,
      Reconciles<?> reconciler,
      ReconcilingLease lease,
      List<OpenAttempt> open) {
    return switch (answer) {
      case Reconciled.Happened<?> happened -> happened(happened, lease, open);
      case Reconciled.DidNotHappen<?> did ->
          new Finding.DidNotHappen(
              reconciler.upstreamFences() ? Finding.Finality.FENCED : Finding.Finality.HORIZON);
      case Reconciled.StillUnknown<?>(String reason) -> new Finding.NotKnownYet(reason);
      case Reconciled.UnderAnotherTag<?> other -> new Finding.OnlyAPersonCanTell("other_tag");
    };
  }

  private Finding happened(
      Reconciled.Happened<?> happened, ReconcilingLease lease, List<OpenAttempt> open) {
    if (!ResultTypes.fits(happened.result(), request.method().method())) {
      return new Finding.NotKnownYet("foreign_result");
    }
    return effect(happened.commitment(), lease, open)
        .<Finding>map(
            effect ->
                new Finding.Happened(
                    response(happened, effect), codec.keep(happened.result()), attempt(open)))
        .orElseGet(() -> new Finding.OnlyAPersonCanTell("several_open"));
  }

  /** The effect that a late witness of it would name too; empty where nobody can tell which. */
  private Optional<EffectId> effect(
      Optional<String> commitment, ReconcilingLease lease, List<OpenAttempt> open) {
    return switch (request.method().upstream()) {
      case HONOURS_KEY ->
          Optional.of(
              new EffectId(
                  UpstreamKeys.of(lease.reservation(), lease.epoch(), DispatchName.ONLY.value())
                      .value()));
      case VERIFIABLE, OPAQUE, SAME_TRANSACTION ->
          commitment
              .map(EffectId::new)
              .or(
                  () ->
                      open.size() == 1 ? Optional.of(open.getFirst().effect()) : Optional.empty());
    };
  }

  private static @Nullable ClaimId attempt(List<OpenAttempt> open) {
    return open.size() == 1 ? open.getFirst().claimId() : null;
  }

  private static VerifiedResponse response(Reconciled.Happened<?> happened, EffectId effect) {
    UpstreamResponse shown =
        new UpstreamResponse(happened.status(), true, happened.bytes(), List.of(), effect);
    return switch (shown.verifyFound(DigestRule.OPTIONAL)) {
      case Verification.Verified(VerifiedResponse verified) -> verified;
      case Verification.Unverified(String reason) -> throw new IllegalArgumentException(reason);
    };
  }
}
