package dev.holdfast.ledger.jooq;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a transaction of the ledger changes on a borrowed connection, so that it goes back as it
 * came.
 */
record ConnectionState(
    boolean autoCommit, int isolation, boolean readOnly, int networkTimeoutMillis) {
  /** No answer may keep a caller longer: half-open sockets never answer. */
  static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionState.class);
  private static final ConnectionState TRANSACTION =
      new ConnectionState(
          false,
          Connection.TRANSACTION_READ_COMMITTED,
          false,
          Math.toIntExact(NETWORK_TIMEOUT.toMillis()));

  /** Makes it ready for a transaction, or closes it. */
  static ConnectionState borrow(Connection connection) throws SQLException {
    try {
      ConnectionState before =
          new ConnectionState(
              connection.getAutoCommit(),
              connection.getTransactionIsolation(),
              connection.isReadOnly(),
              connection.getNetworkTimeout());
      TRANSACTION.applyTo(connection);
      return before;
    } catch (SQLException e) {
      discard(connection);
      throw e;
    }
  }

  /** Rolls back what is not committed and gives the connection back in this state. */
  void giveBack(Connection connection) {
    try (connection) {
      connection.rollback();
      applyTo(connection);
    } catch (SQLException e) {
      LOG.debug("a connection could not be restored and is discarded", e);
      discard(connection);
    }
  }

  private void applyTo(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
    if (connection.getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
    if (connection.isReadOnly() != readOnly) {
      connection.setReadOnly(readOnly);
    }
    if (connection.getTransactionIsolation() != isolation) {
      connection.setTransactionIsolation(isolation);
    }
  }

  /** A pool must not lend it again. */
  private static void discard(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("a connection could not be closed", e);
    }
  }
}
