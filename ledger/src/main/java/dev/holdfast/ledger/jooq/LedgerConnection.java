package dev.holdfast.ledger.jooq;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows one connection for each call, for one statement that is its own transaction, and gives it
 * back as it came. Safe for use by many threads.
 */
final class LedgerConnection {
  /**
   * A victim of a deadlock or of a stricter isolation is run again; three in a row are no accident.
   */
  private static final int RUNS = 3;

  private static final Logger LOG = LoggerFactory.getLogger(LedgerConnection.class);

  private final DataSource source;

  LedgerConnection(DataSource source) {
    this.source = source;
  }

  /** What is done with the connection. */
  @FunctionalInterface
  interface Call<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * Runs one statement in its own transaction.
   *
   * @param networkTimeout how long its answer may take
   */
  <T> T autocommit(Duration networkTimeout, Call<T> call) {
    return uninterrupted(
        () -> borrowed(networkTimeout, true, connection -> repeated(connection, call)));
  }

  /** Runs several statements in one transaction, READ COMMITTED whatever the session's level is. */
  <T> T transaction(Duration networkTimeout, Call<T> call) {
    return uninterrupted(
        () ->
            borrowed(
                networkTimeout,
                false,
                connection -> readCommitted(connection, under -> committed(under, call))));
  }

  /** Runs several queries on one snapshot. */
  <T> T snapshot(Duration networkTimeout, Call<T> call) {
    return uninterrupted(
        () ->
            borrowed(
                networkTimeout,
                false,
                connection ->
                    at(
                        Connection.TRANSACTION_REPEATABLE_READ,
                        connection,
                        under -> committed(under, call))));
  }

  private static <T> T committed(Connection connection, Call<T> call) throws SQLException {
    boolean done = false;
    try {
      T answer = call.on(connection);
      connection.commit();
      done = true;
      return answer;
    } finally {
      if (!done && !connection.isClosed()) {
        connection.rollback();
      }
    }
  }

  /** The caller's interrupt must not cut a commit's answer off; it is kept for later. */
  static <T> T uninterrupted(Supplier<T> work) {
    boolean interrupted = Thread.interrupted();
    try {
      return work.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> T borrowed(Duration networkTimeout, boolean autoCommit, Call<T> call) {
    Connection connection = connect();
    ConnectionState before;
    try {
      before = ConnectionState.borrow(connection, autoCommit, networkTimeout);
    } catch (SQLException e) {
      throw DatabaseFailure.beforeSending(e);
    }
    try {
      return call.on(connection);
    } catch (SQLException e) {
      throw DatabaseFailure.afterSending(e);
    } finally {
      before.giveBack(connection);
    }
  }

  private Connection connect() {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw DatabaseFailure.beforeSending(e);
    }
  }

  /**
   * Where the pool's sessions are stricter than READ COMMITTED, a rival's commit raises an error
   * instead of being looked at. Nothing has happened then; the level is set for this call alone.
   */
  private static <T> T repeated(Connection connection, Call<T> call) throws SQLException {
    for (int run = 1; ; run++) {
      try {
        return run == 1 ? call.on(connection) : readCommitted(connection, call);
      } catch (SQLException e) {
        if (run == RUNS || !DatabaseFailure.asksToRepeat(e)) {
          throw e;
        }
        LOG.debug("run {} of a statement fell to SQLSTATE {}", run, e.getSQLState());
      }
    }
  }

  private static <T> T readCommitted(Connection connection, Call<T> call) throws SQLException {
    return at(Connection.TRANSACTION_READ_COMMITTED, connection, call);
  }

  private static <T> T at(int level, Connection connection, Call<T> call) throws SQLException {
    int before = connection.getTransactionIsolation();
    if (before == level) {
      return call.on(connection);
    }
    connection.setTransactionIsolation(level);
    try {
      return call.on(connection);
    } finally {
      connection.setTransactionIsolation(before);
    }
  }
}
