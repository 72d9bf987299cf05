package dev.holdfast.ledger;

/**
 * Hears what a ledger goes through beside its answers, for whoever counts. Called on the thread of
 * the verb, after the fact; it must neither block nor throw, and be safe for use by many threads.
 */
public interface LedgerListener {
  /** Hears nothing. */
  LedgerListener DEAF = new LedgerListener() {};

  /**
   * The answer to a verb was lost. What became of it is looked for: a claim and a settlement are
   * read back by their claim id, an end, a finding and an abandon are sent again.
   */
  default void readBack() {}

  /** An operation waits for a person from now on. */
  default void parked() {}
}
