package dev.holdfast.ledger.schema;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** SQL past the library, in one transaction that is always rolled back. */
final class SideChannel {
  private final DataSource source;

  SideChannel(EmbeddedLedger ledger) {
    this.source = ledger.pool(1);
  }

  /** Why the database refused. */
  record Refusal(String sqlState, String constraint, String message) {
    static final String BY_GUARD = "HF001";
    static final String BY_USED_CLAIM = "HF002";
    static final String BY_CHECK = "23514";
    static final String BY_NOT_NULL = "23502";
  }

  /**
   * Runs the statements in order, to the point where a commit would succeed; yields the refusal.
   */
  Optional<Refusal> attempt(String... statements) {
    try (Connection connection = source.getConnection();
        Statement sql = connection.createStatement()) {
      connection.setAutoCommit(false);
      try {
        sql.execute("set local search_path = " + EmbeddedLedger.SCHEMA);
        for (String statement : statements) {
          sql.execute(statement);
        }
        sql.execute("set constraints all immediate");
        return Optional.empty();
      } catch (PSQLException e) {
        return Optional.of(refusal(e));
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the side channel itself failed", e);
    }
  }

  private static Refusal refusal(PSQLException e) {
    ServerErrorMessage server = e.getServerErrorMessage();
    String constraint = server == null ? null : server.getConstraint();
    return new Refusal(
        String.valueOf(e.getSQLState()),
        constraint == null ? "" : constraint,
        String.valueOf(e.getMessage()));
  }
}
