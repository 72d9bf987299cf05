package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Set;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * What a database error means to the ledger's caller. A driver's message may quote values of the
 * row, so nothing of it is passed on but the SQLSTATE and where it was raised.
 */
final class DatabaseFailure {
  /** No table, no schema, no function. */
  private static final Set<String> NOT_MIGRATED = Set.of("42P01", "3F000", "42883");

  /** The guard's own word for a claim that was sent again after others took its place. */
  private static final String CLAIM_ID_USED = "HF002";

  private static final Set<String> ASK_TO_REPEAT = Set.of("40001", "40P01");
  private static final Set<String> CREDENTIALS = Set.of("28P01", "28000");

  private DatabaseFailure() {}

  /** Deadlock or serialization failure: rolled back, and the database asks to do it again. */
  static boolean asksToRepeat(SQLException error) {
    String state = state(error);
    return state != null && ASK_TO_REPEAT.contains(state);
  }

  /** No statement was sent. */
  static RuntimeException beforeSending(SQLException error) {
    String state = state(error);
    if (state != null && CREDENTIALS.contains(state)) {
      return new LedgerUnavailableException(
          "the ledger's database refuses the credentials (SQLSTATE " + state + ")", bare(error));
    }
    return new LedgerUnavailableException(
        "the ledger's database cannot be reached (SQLSTATE " + state + ")", bare(error));
  }

  /**
   * A statement was sent. An answer of the server's says that it was rolled back; none says
   * nothing.
   */
  static RuntimeException afterSending(SQLException error) {
    String state = state(error);
    if (state == null || state.startsWith("08") || state.startsWith("57P")) {
      return new LedgerAnswerLostException(
          "the answer of the ledger's database was lost (SQLSTATE " + state + ")", bare(error));
    }
    if (NOT_MIGRATED.contains(state)) {
      return notMigrated(state);
    }
    if (state.equals(CLAIM_ID_USED)) {
      return new LedgerUnavailableException(
          "an earlier attempt bears this claim id, nothing was claimed: claim under a fresh one",
          bare(error));
    }
    return switch (state.substring(0, 2)) {
      // lock time-out, cancelled, resources, rivals, a standby
      case "55", "57", "53", "40", "25" ->
          new LedgerUnavailableException(
              "the ledger's database gave up and rolled back (SQLSTATE " + state + ")",
              bare(error));
      default ->
          new IllegalStateException(
              "the ledger's database refuses a statement (SQLSTATE " + state + ")", bare(error));
    };
  }

  /**
   * A commit that the server warns of may be missing where the ledger fails over to: such as
   * "canceled wait for synchronous replication". Its words depend on the server's language, its
   * SQLSTATE says no more than "warning".
   *
   * @throws LedgerAnswerLostException when there is more than a notice
   */
  static void refuseUnconfirmed(@Nullable SQLWarning first) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      String state = warning.getSQLState();
      if (state == null || !state.startsWith("00")) {
        throw new LedgerAnswerLostException(
            "a commit was not confirmed (SQLSTATE " + state + ")", bare(warning));
      }
    }
  }

  /** Statements were sent, and no COMMIT: whatever went wrong, nothing of it stays. */
  static RuntimeException beforeCommit(SQLException error) {
    RuntimeException failure = afterSending(error);
    return failure instanceof LedgerAnswerLostException
        ? new LedgerUnavailableException(
            "the ledger's database was lost before the commit (SQLSTATE " + state(error) + ")",
            bare(error))
        : failure;
  }

  static LedgerRefusedException notMigrated(String state) {
    return new LedgerRefusedException(
        "the ledger's tables are missing or incomplete (SQLSTATE "
            + state
            + "): call JooqLedger.migrate(dataSource) first");
  }

  /** What jOOQ wrapped, without its message. */
  static SQLException within(DataAccessException error) {
    SQLException cause = error.getCause(SQLException.class);
    return cause == null ? new SQLException("no answer of the driver's", error) : bare(cause);
  }

  /** Of the error or of what a pool wrapped in its own. */
  static @Nullable String state(SQLException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return null;
  }

  private static SQLException bare(SQLException error) {
    String state = state(error);
    SQLException bare = new SQLException("SQLSTATE " + state, state);
    bare.setStackTrace(error.getStackTrace());
    return bare;
  }
}
