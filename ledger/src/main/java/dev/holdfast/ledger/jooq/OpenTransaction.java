package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.jooq.TransactionSettings.Known;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction under way: READ COMMITTED, so that each statement sees what was committed before
 * it, and durable at its commit whatever the session's level. Closed without a commit, it is rolled
 * back; the connection goes back as it came. For one thread.
 */
final class OpenTransaction implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenTransaction.class);

  static final String COMMITTED = "committed";

  private final Connection connection;
  private final ConnectionState before;
  private final DSLContext dsl;
  private final CommitLevel level;
  private final Duration patience;
  private final List<News.Item> news = new ArrayList<>();
  private @Nullable Integer isolationBefore;
  private long number;

  private OpenTransaction(
      Connection connection,
      ConnectionState before,
      DSLContext dsl,
      CommitLevel level,
      Duration patience) {
    this.connection = connection;
    this.before = before;
    this.dsl = dsl;
    this.level = level;
    this.patience = patience;
  }

  /**
   * Begins on this connection, and owns it from now on, whatever happens.
   *
   * @param patience how long an answer may take
   */
  static OpenTransaction on(
      Connection connection, Configuration configuration, CommitLevel level, Duration patience)
      throws SQLException {
    ConnectionState before = ConnectionState.borrow(connection, false, patience);
    DSLContext dsl = DSL.using(configuration.derive(connection));
    OpenTransaction begun = new OpenTransaction(connection, before, dsl, level, patience);
    try {
      begun.begin();
      return begun;
    } catch (SQLException | RuntimeException e) {
      begun.close();
      throw e;
    }
  }

  private void begin() throws SQLException {
    Known known = settings();
    if (!known.isolation().equals("read committed")) {
      connection.rollback();
      isolationBefore = connection.getTransactionIsolation();
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      known = settings();
    }
    number = known.number();
  }

  private Known settings() {
    return TransactionSettings.apply(dsl, level, LedgerOptions.lockTimeout(patience));
  }

  DSLContext dsl() {
    return dsl;
  }

  /** Has this told once it is committed. */
  void tell(News.Item one) {
    news.add(one);
  }

  /** Gives this warning once it is committed. */
  void warn(@Nullable QuarantineWarning warning) {
    if (warning != null) {
      tell(new News.Quarantined(warning));
    }
  }

  /** What is to be told of, now that it is committed. */
  List<News.Item> news() {
    return news;
  }

  /** Its number, by which another transaction can ask what became of it. */
  long number() {
    return number;
  }

  /** For the ledger's own statements. */
  Connection connection() {
    return connection;
  }

  /** Lends the connection for work that may last this long. */
  Connection lend(Duration rest) throws SQLException {
    TransactionSettings.bound(dsl, rest);
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(rest.plus(patience).toMillis()));
    return connection;
  }

  /**
   * Takes it back: the ledger's settings hold again.
   *
   * @throws IllegalStateException when the transaction was ended meanwhile
   */
  void takeBack() throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.toMillis()));
    if (settings().number() != number) {
      throw new IllegalStateException(
          "the effect ended the ledger's transaction: what it committed has no receipt");
    }
  }

  /**
   * Commits, and proves it: a server may answer COMMIT with ROLLBACK, and not every driver says so.
   *
   * @throws LedgerUnavailableException when it was rolled back
   * @throws LedgerAnswerLostException when nobody knows
   */
  void commit() {
    SQLWarning warning;
    try {
      connection.clearWarnings();
      connection.commit();
      warning = connection.getWarnings();
    } catch (SQLException e) {
      throw DatabaseFailure.afterSending(e);
    }
    prove();
    DatabaseFailure.refuseUnconfirmed(warning);
  }

  private void prove() {
    String found;
    try {
      found = statusOf(number);
    } catch (DataAccessException e) {
      throw new LedgerAnswerLostException(
          "a commit could not be proved", DatabaseFailure.within(e));
    }
    if (!COMMITTED.equals(found)) {
      throw new LedgerUnavailableException(
          "the server answered COMMIT with ROLLBACK: nothing was stored",
          new SQLException("transaction " + number + " is " + found));
    }
  }

  /** What became of a transaction of this server's; null where it is too long ago. */
  @Nullable String statusOf(long transaction) {
    Field<String> status =
        function(name("txid_status"), SQLDataType.VARCHAR, val(transaction, SQLDataType.BIGINT));
    return dsl.select(status).fetchSingle(status);
  }

  @Override
  public void close() {
    if (isolationBefore != null) {
      try {
        connection.rollback();
        connection.setTransactionIsolation(isolationBefore);
      } catch (SQLException e) {
        LOG.debug("an isolation level could not be restored (SQLSTATE {})", e.getSQLState());
      }
    }
    before.giveBack(connection);
  }
}
