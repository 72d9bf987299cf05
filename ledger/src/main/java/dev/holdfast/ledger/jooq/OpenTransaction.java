package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.case_;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * One transaction under way: READ COMMITTED, so that each statement sees what was committed before
 * it, and durable at its commit whatever the session's level. Closed without a commit, it is rolled
 * back; the connection goes back as it came. For one thread.
 */
final class OpenTransaction implements AutoCloseable {
  /** Half of the network's: the database answers before the caller gives up. */
  static final Duration LOCK_TIMEOUT = Duration.ofMillis(2500);

  private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";

  private final Connection connection;
  private final ConnectionState before;
  private final DSLContext dsl;
  private final long number;

  private OpenTransaction(
      Connection connection, ConnectionState before, DSLContext dsl, long number) {
    this.connection = connection;
    this.before = before;
    this.dsl = dsl;
    this.number = number;
  }

  /** Begins on this connection, and owns it from now on, whatever happens. */
  static OpenTransaction on(Connection connection, Configuration configuration)
      throws SQLException {
    ConnectionState before = ConnectionState.borrow(connection);
    try {
      DSLContext dsl = DSL.using(configuration.derive(connection));
      return new OpenTransaction(connection, before, dsl, begin(dsl));
    } catch (RuntimeException e) {
      before.giveBack(connection);
      throw e;
    }
  }

  private static long begin(DSLContext dsl) {
    Field<Long> number = function(name("txid_current"), SQLDataType.BIGINT);
    return Objects.requireNonNull(
        dsl.select(number, set("lock_timeout", LOCK_TIMEOUT.toMillis() + "ms"), raised())
            .fetchSingle(number));
  }

  /** At least {@code on}; a session that waits for more keeps doing so. */
  private static Field<String> raised() {
    Field<String> level = setting(SYNCHRONOUS_COMMIT);
    return case_()
        .when(level.in("on", "remote_apply"), level)
        .otherwise(set(SYNCHRONOUS_COMMIT, "on"));
  }

  static Field<String> setting(String setting) {
    return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting));
  }

  /** For this transaction alone. */
  static Field<String> set(String setting, String value) {
    return function(
        name("set_config"), SQLDataType.VARCHAR, inline(setting), val(value), inline(true));
  }

  DSLContext dsl() {
    return dsl;
  }

  Connection connection() {
    return connection;
  }

  /** Whether the statement just sent would still belong to this transaction. */
  boolean isUnderWay() {
    return Objects.equals(
        dsl.select(function(name("txid_current"), SQLDataType.BIGINT)).fetchSingle().value1(),
        number);
  }

  /**
   * Commits, and proves it: a server may answer COMMIT with ROLLBACK, and not every driver says so.
   *
   * @throws LedgerUnavailableException when it was rolled back
   * @throws LedgerAnswerLostException when nobody knows
   */
  void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (SqlState.of(e).deniesCommit()) {
        throw new LedgerUnavailableException("the commit was refused: nothing was stored", e);
      }
      throw new LedgerAnswerLostException("the answer to a commit was lost", e);
    }
    prove();
  }

  private void prove() {
    Field<String> status =
        function(name("txid_status"), SQLDataType.VARCHAR, val(number, SQLDataType.BIGINT));
    String found;
    try {
      found = dsl.select(status).fetchSingle(status);
    } catch (DataAccessException e) {
      throw new LedgerAnswerLostException("a commit could not be proved", e);
    }
    if (!"committed".equals(found)) {
      throw new LedgerUnavailableException(
          "the server answered COMMIT with ROLLBACK: nothing was stored",
          new SQLException("transaction " + number + " is " + found));
    }
  }

  @Override
  public void close() {
    before.giveBack(connection);
  }
}
