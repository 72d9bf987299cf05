package dev.holdfast.ledger;

/**
 * A lease as its holder knows it: the fencing token and the claim id. Whether it still holds is for
 * the database to say.
 */
public sealed interface HeldLease permits UndispatchedLease, ReconcilingLease, Lease {
  /** The tuple it was claimed under. */
  Reservation reservation();

  /** The execution number it was claimed under. */
  Epoch epoch();

  /** Its number; the highest one holds. */
  FencingToken token();

  /** The claim that made it. */
  ClaimId claimId();

  /** Until when it lasts by this process's pessimistic clock; a renewal moves it. */
  LocalDeadline expiry();
}
