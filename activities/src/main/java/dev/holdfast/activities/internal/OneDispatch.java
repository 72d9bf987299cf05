package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceGeneration;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamKey;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** One of the dispatches of an attempt, by its name: begins it and keeps what came of it. */
public final class OneDispatch {
  /** Where the effect has no protocol of its own. */
  private static final int NO_STATUS = 0;

  private final EffectScope scope;
  private final DispatchName name;

  OneDispatch(EffectScope scope, DispatchName name) {
    this.scope = scope;
    this.name = name;
  }

  /** The attempt it belongs to. */
  EffectScope scope() {
    return scope;
  }

  /**
   * Passes the point of no return.
   *
   * @throws NotDispatchedException it is too late for a dispatch; this one was not sent
   * @throws IllegalStateException its name was used already, or the activity has returned
   */
  public Lease begin() {
    return scope.begin(name);
  }

  /** Its idempotency key. */
  public UpstreamKey key() {
    return scope.key(name);
  }

  /** Notes that somebody read the key, and may have sent it. */
  public void keyWasRead() {
    scope.keyWasRead(name);
  }

  /**
   * What makes the effect itself.
   *
   * @param commitment the upstream's own id of the effect, where it gives one
   */
  EffectId effectId(Optional<String> commitment) {
    return scope.effectId(commitment);
  }

  /** The fields that its request bears, so that the upstream can sign them; none if it need not. */
  public Map<String, String> tupleFields() {
    return scope.tupleFields(name);
  }

  /** What its answer proves. */
  public Proof proof(int status, Supplier<Optional<SignedMessage>> answer) {
    return scope.proof(name, status, answer);
  }

  /** Keeps what verification said of the answer. */
  void answered(Verification verification) {
    scope.keep(
        name,
        lease ->
            switch (verification) {
              case Verification.Verified(var response) ->
                  new DispatchState.Verified(lease, response);
              case Verification.Unverified(String reason) ->
                  new DispatchState.Unverified(lease, reason);
            });
  }

  /** Keeps that nobody can tell what the dispatch did; answers what to throw. */
  UpstreamUnverifiedException unverified(String reason) {
    answered(new Verification.Unverified(reason));
    return new UpstreamUnverifiedException(reason);
  }

  /** Whether the ledger may take what was signed under another generation as its evidence. */
  boolean mayCarryLiveGeneration() {
    return scope.method().evidenceGeneration() == EvidenceGeneration.LIVE;
  }

  /** Keeps a true success that is another tuple's; answers what to throw. */
  UpstreamUnverifiedException setAside(VerifiedResponse other, String reason) {
    scope.setAside(other);
    return unverified(reason);
  }

  /** Keeps the upstream's definite no. */
  void rejected(SettledFailure failure) {
    scope.keep(name, lease -> new DispatchState.Rejected(lease, failure));
  }

  /** Keeps that the upstream did nothing, this time. */
  void refused(int status) {
    scope.keep(name, lease -> new DispatchState.Refused(lease, status));
  }

  /** Keeps that the dispatch surely did nothing: it never left, or it was rolled back. */
  public void nothingDone() {
    refused(NO_STATUS);
  }

  /** Keeps what settling within the ledger's transaction answered. */
  void settledInTransaction(SettleOutcome outcome, StoredResult result) {
    scope.keep(name, lease -> new DispatchState.SettledInTransaction(lease, outcome, result));
  }
}
