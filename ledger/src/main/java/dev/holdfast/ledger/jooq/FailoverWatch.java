package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.SettleOutcome;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the ledger's server was replaced: every promotion raises the timeline that a receipt
 * is written on, so that no question of its own is needed. Safe for use by many threads.
 */
final class FailoverWatch {
  private static final Logger LOG = LoggerFactory.getLogger(FailoverWatch.class);

  private final LedgerListener listener;
  private final AtomicReference<LedgerPosition> last;

  FailoverWatch(DurabilityCheck.Whereabouts whereabouts, LedgerListener listener) {
    this.listener = listener;
    this.last = new AtomicReference<>(whereabouts.now());
    if (!whereabouts.known().equals(whereabouts.now())) {
      warn(whereabouts.known(), whereabouts.now());
    }
  }

  /** Passes the outcome on, and looks where its receipt was written. */
  SettleOutcome watched(SettleOutcome outcome) {
    if (outcome instanceof SettleOutcome.Committed committed) {
      written(committed.receipt().completion().position());
    }
    return outcome;
  }

  private void written(LedgerPosition now) {
    LedgerPosition before = last.get();
    // an older one is of a receipt that was read back
    if (now.timeline() > before.timeline() && last.compareAndSet(before, now)) {
      warn(before, now);
    }
  }

  private void warn(LedgerPosition from, LedgerPosition to) {
    LOG.warn(
        "The ledger has moved from server {} timeline {} to server {} timeline {}: what was"
            + " acknowledged and had not reached it, receipts too, is missing. Compare it with the"
            + " upstreams, then call migrate, which ends this warning",
        from.systemId(),
        from.timeline(),
        to.systemId(),
        to.timeline());
    listener.movedServer(from, to);
  }
}
