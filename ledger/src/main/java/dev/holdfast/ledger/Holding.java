package dev.holdfast.ledger;

/** What identifies one grant: the compare-and-set of every later statement of its holder. */
record Holding(
    Reservation reservation, Epoch epoch, Revision revision, FencingToken token, ClaimId claimId) {}
