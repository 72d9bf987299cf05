package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ledger changes on a borrowed connection, so that it goes back as it came. Asking the
 * driver for these costs no round trip.
 */
record ConnectionState(boolean autoCommit, boolean readOnly, int networkTimeoutMillis) {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionState.class);

  /**
   * Prepares a connection; where it cannot be prepared, it is gone.
   *
   * @param networkTimeout how long an answer may take
   * @throws LedgerRefusedException when a transaction is open on it
   */
  static ConnectionState borrow(Connection connection, boolean autoCommit, Duration networkTimeout)
      throws SQLException {
    try {
      refuseOpenTransaction(connection);
      ConnectionState before = of(connection);
      int millis = Math.toIntExact(networkTimeout.toMillis());
      new ConnectionState(autoCommit, false, millis).applyTo(connection);
      return before;
    } catch (LedgerRefusedException e) {
      // as it is: it belongs to a caller who is at work with it
      connection.close();
      throw e;
    } catch (SQLException | RuntimeException e) {
      discard(connection);
      throw e;
    }
  }

  private static void refuseOpenTransaction(Connection connection) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
      throw new LedgerRefusedException(
          "the data source lends a connection with an open transaction, which the ledger would"
              + " commit: give it a data source that takes no part in callers' transactions");
    }
  }

  private static ConnectionState of(Connection connection) throws SQLException {
    return new ConnectionState(
        connection.getAutoCommit(), connection.isReadOnly(), connection.getNetworkTimeout());
  }

  /** Rolls back what is not committed and gives the connection back in this state. */
  void giveBack(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      applyTo(connection);
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection could not be restored (SQLSTATE {})", e.getSQLState());
      discard(connection);
    }
  }

  private void applyTo(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
    if (connection.isReadOnly() != readOnly) {
      connection.setReadOnly(readOnly);
    }
    if (connection.getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
  }

  /** A pool must not lend it again. */
  private static void discard(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("a connection could not be closed (SQLSTATE {})", e.getSQLState());
    }
  }
}
