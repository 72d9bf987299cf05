package dev.holdfast.ledger;

/** What giving back an undispatched lease answers. */
public enum AbandonOutcome {
  /** Its attempt is closed; where the lease was still its own, it is over. */
  ABANDONED,
  /** The attempt was closed before. */
  ALREADY_CLOSED
}
