package dev.holdfast.activities;

import java.util.concurrent.atomic.LongAdder;

/** What a worker counts since it started. Safe for use by several threads. */
public final class HoldfastCounters {
  private final LongAdder keyNotSent = new LongAdder();
  private final LongAdder reconciled = new LongAdder();

  /**
   * Successes of upstreams that honour keys whose dispatch never read its key ({@code
   * key_not_sent}): their receipts stand, but a retry would have been a second effect.
   */
  public long keyNotSent() {
    return keyNotSent.sum();
  }

  /** Counts one more; called by the barrier. */
  public void countKeyNotSent() {
    keyNotSent.increment();
  }

  /** How often the ledger was told what came of asking about an earlier attempt. */
  public long reconciled() {
    return reconciled.sum();
  }

  /** Counts one more; called by the barrier. */
  public void countReconciled() {
    reconciled.increment();
  }
}
