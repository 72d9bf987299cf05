package dev.holdfast.activities.internal;

import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.LedgerPosition;

/** Counts what the ledger goes through, where the plugin counts everything else. */
public record CountingListener(HoldfastCounters counters) implements LedgerListener {
  @Override
  public void readBack() {
    counters.countReadBack();
  }

  @Override
  public void parked() {
    counters.countParked();
  }

  @Override
  public void movedServer(LedgerPosition from, LedgerPosition to) {
    counters.countServerMove();
  }
}
