package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;

/**
 * What identifies one grant, the compare-and-set of every later statement of its holder, and the
 * terms it was asked for under.
 */
record Holding(
    Reservation reservation,
    Epoch epoch,
    Revision revision,
    FencingToken token,
    ClaimId claimId,
    LeaseMargin margin,
    OpenAttemptRule rule,
    SettlementPolicy policy) {

  /** The same grant, its row changed by its own holder. */
  Holding at(Revision later) {
    return new Holding(reservation, epoch, later, token, claimId, margin, rule, policy);
  }
}
