package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Gives undispatched leases back: by the one statement where the operation is as the claim left it,
 * by {@link LateAbandon} where it is not. Safe for use by many threads.
 */
final class Abandoning {
  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final AbandonStatement own;
  private final AbandonStatement shared;
  private final LateAbandon late;
  private final Again again;

  Abandoning(LedgerConnection connection, LedgerSql sql, LedgerOptions options, LateAbandon late) {
    this.connection = connection;
    this.options = options;
    this.own = new AbandonStatement(sql, LeaseRows.OWN);
    this.shared = new AbandonStatement(sql, LeaseRows.SHARED);
    this.late = late;
    this.again = new Again(options);
  }

  /** After a lost answer it may find that it closed the attempt already. */
  AbandonOutcome abandon(UndispatchedLease lease) {
    return again.idempotent(lease.expiry(), () -> close(lease));
  }

  private AbandonOutcome close(UndispatchedLease lease) {
    Duration patience = options.patience(lease.expiry().rest());
    AbandonStatement statement = lease.reservation().resource().isShared() ? shared : own;
    boolean closed =
        connection.autocommit(
            patience,
            borrowed -> statement.execute(borrowed, lease, StatementSettings.bindings(patience)));
    return closed ? AbandonOutcome.ABANDONED : late.close(lease).orElseThrow(Abandoning::contended);
  }

  /** Nothing was stored; the attempt stays open, which is safe. */
  private static LedgerUnavailableException contended() {
    return new LedgerUnavailableException(
        "rivals kept moving the operation that was to be given back",
        new SQLException("compare and set missed"));
  }
}
