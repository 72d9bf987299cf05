package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import java.time.Duration;

/** Gives undispatched leases back. Safe for use by many threads. */
final class Abandoning {
  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final AbandonStatement own;
  private final AbandonStatement shared;

  Abandoning(LedgerConnection connection, LedgerSql sql, LedgerOptions options) {
    this.connection = connection;
    this.options = options;
    this.own = new AbandonStatement(sql, LeaseRows.OWN);
    this.shared = new AbandonStatement(sql, LeaseRows.SHARED);
  }

  AbandonOutcome abandon(UndispatchedLease lease) {
    Duration patience = options.patience(lease.expiry().rest());
    AbandonStatement statement = lease.reservation().resource().isShared() ? shared : own;
    boolean closed =
        connection.autocommit(
            patience,
            borrowed -> statement.execute(borrowed, lease, StatementSettings.bindings(patience)));
    return closed ? AbandonOutcome.ABANDONED : AbandonOutcome.ALREADY_CLOSED;
  }
}
