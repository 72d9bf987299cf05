package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;

/**
 * What the fenced calls of a plugin share.
 *
 * @param border the ledger as the barrier calls it
 * @param keeper renews their leases
 * @param heartbeats tells Temporal that their attempts live
 * @param waiters who waits for a lease of another
 * @param aside does what no caller waits for
 * @param sweeps looks after what nobody asks for
 */
record Barrier(
    HoldfastSettings settings,
    LedgerBorder border,
    LeaseKeeper keeper,
    Heartbeats heartbeats,
    Waiters waiters,
    Aside aside,
    SweepSchedule sweeps) {
  /** A barrier over this ledger, of workers with so many slots. */
  static Barrier over(Ledger ledger, HoldfastSettings settings, Waiters waiters) {
    Aside aside = new Aside(ledger);
    LeaseKeeper keeper = new LeaseKeeper(ledger, settings, aside);
    return new Barrier(
        settings,
        new LedgerBorder(ledger, settings, keeper),
        keeper,
        new Heartbeats(settings.leaseFor()),
        waiters,
        aside,
        new SweepSchedule(ledger.sweeper(), settings, Aside::daemons));
  }
}
