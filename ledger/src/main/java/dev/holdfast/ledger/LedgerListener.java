package dev.holdfast.ledger;

/**
 * Hears what a ledger goes through beside its answers, for whoever counts. Called on the thread of
 * the verb, after the fact; it must neither block nor throw, and be safe for use by many threads.
 */
public interface LedgerListener {
  /** Hears nothing. */
  LedgerListener DEAF = new LedgerListener() {};

  /**
   * The answer to a verb was lost. What became of it is looked for: a claim, a settlement and an
   * effect in the ledger's transaction are read back by their claim id; an end, a finding, an
   * abandon, an attendance and a person's act are sent again.
   */
  default void readBack() {}

  /**
   * An operation waits for a person from now on. Heard at most once of each parking, by whoever had
   * the answer to it: where that answer was lost, the second request finds it parked already and
   * nobody hears. What waits is told by the list, not by this count.
   */
  default void parked() {}

  /**
   * The ledger is on another server, or on another timeline of it, than it was: a standby was
   * promoted, or a copy restored. What was acknowledged and had not reached it is gone: receipts,
   * and attempts of unknown outcome. Heard when a ledger is opened, for as long as nobody has
   * called {@code migrate} there, and of one that is open at its first settlement after a
   * promotion.
   *
   * @param from where it was
   * @param to where it is
   */
  default void movedServer(LedgerPosition from, LedgerPosition to) {}
}
