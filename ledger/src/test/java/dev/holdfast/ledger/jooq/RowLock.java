package dev.holdfast.ledger.jooq;

import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Another session that holds an operation's row locked, until it commits or is closed. */
final class RowLock implements AutoCloseable {
  private final EmbeddedLedger ledger;
  private final Connection holder;

  private RowLock(EmbeddedLedger ledger, Connection holder) {
    this.ledger = ledger;
    this.holder = holder;
  }

  static RowLock on(EmbeddedLedger ledger, Reservation reservation) throws SQLException {
    return after(
        ledger,
        reservation,
        "select from operation where scope = ? and operation_id = ? for update");
  }

  /** Holds the lock that this change takes: scope and operation id are its parameters. */
  static RowLock after(EmbeddedLedger ledger, Reservation reservation, String change)
      throws SQLException {
    Connection holder = ledger.superuser();
    holder.setAutoCommit(false);
    try (PreparedStatement statement = holder.prepareStatement(change)) {
      statement.setString(1, reservation.scope().value());
      statement.setString(2, reservation.operation().text());
      statement.execute();
    }
    return new RowLock(ledger, holder);
  }

  /** Returns when this many statements of the ledger wait for a lock. */
  void awaitWaiters(int count) {
    await()
        .until(
            () ->
                ledger
                    .sql()
                    .fetchSingle(
                        "select count(*) = ? from pg_stat_activity where wait_event_type = 'Lock'"
                            + " and datname = current_database()",
                        count)
                    .get(0, Boolean.class));
  }

  void commit() throws SQLException {
    holder.commit();
  }

  void rollback() throws SQLException {
    holder.rollback();
  }

  /** Undoes what was not committed. */
  @Override
  public void close() throws SQLException {
    try (holder) {
      holder.rollback();
    }
  }
}
