package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.WorkerName;
import java.time.Duration;

/** A claim that dispatches nothing: who takes an operation's place, and under which token. */
record Taking(
    ClaimId claimId,
    WorkerName worker,
    AttemptOrigin origin,
    Duration leaseFor,
    FencingToken token) {

  /** By a claim that picks stored evidence up. */
  static Taking of(PickUpClaim request, FencingToken token) {
    return new Taking(
        request.claimId(), request.worker(), request.origin(), request.leaseFor(), token);
  }

  /** By a person, for no time at all: whoever held it before is fenced off. */
  static Taking by(String actor, ClaimId claimId, LockedOperation operation) {
    String namespace = operation.row().origin().namespace();
    return new Taking(
        claimId,
        new WorkerName("operator:" + actor),
        new AttemptOrigin(namespace, null, null, null, 0),
        Duration.ZERO,
        operation.freshToken());
  }
}
