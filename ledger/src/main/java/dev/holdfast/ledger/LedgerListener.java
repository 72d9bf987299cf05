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
   * An operation waits for a person from now on. Heard once of each parking: once its commit is
   * acknowledged or, where that answer was lost, found out about while the verb still asks. Where
   * nobody found out, nobody hears: what waits is told by the list, not by this count.
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

  /**
   * A receipt that others were claimed because of stands no longer; one that is adopted by a newer
   * generation does. Heard once of each, as {@link #parked} is, and logged as {@code
   * completed_left_with_dependents} besides. A person's act names them in its answer too, all of
   * them, and again when it is ordered again.
   */
  default void dependentsStranded(DependentsAlert alert) {}
}
