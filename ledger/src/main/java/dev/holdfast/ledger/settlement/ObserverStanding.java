package dev.holdfast.ledger.settlement;

/** Who reports an observation, by its own claim row. */
public enum ObserverStanding {
  /** Its token is the highest and its claim id the last. */
  HOLDER,
  /** It has a claim, and a newer token exists. */
  PREEMPTED,
  /** It has no claim: sweeper, workflow side, webhook. */
  NONE
}
