package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.time.Duration;

/** A claim that settles what is stored and dispatches nothing, whatever else was asked for. */
record PickUpClaim(
    Reservation reservation,
    ClaimId claimId,
    WorkerName worker,
    AttemptOrigin origin,
    Duration leaseFor,
    SettlementPolicy policy) {

  static PickUpClaim of(ClaimRequest request) {
    return new PickUpClaim(
        request.reservation(),
        request.claimId(),
        request.worker(),
        request.origin(),
        request.leaseFor(),
        request.policy());
  }
}
