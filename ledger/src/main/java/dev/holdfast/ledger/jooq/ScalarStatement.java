package dev.holdfast.ledger.jooq;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * One statement over at most one row, rendered once: rendering costs more than running, and an
 * equal text is what lets the driver prepare it once for each connection. Where the statement is
 * its own transaction, a warning is an unknown answer: so a server says that a commit was not
 * replicated. Immutable.
 */
final class ScalarStatement {
  private static final Pattern NAMED = Pattern.compile("(?<![:\\w]):([a-z][a-z0-9_]*)");

  private final String text;
  private final String sql;
  private final List<Parameter> parameters;

  private record Parameter(String name, int sqlType) {}

  /** Reads the one row. */
  @FunctionalInterface
  interface Reader<T> {
    T read(AnswerRow row) throws SQLException;
  }

  private ScalarStatement(String text, String sql, List<Parameter> parameters) {
    this.text = text;
    this.sql = sql;
    this.parameters = parameters;
  }

  static ScalarStatement of(LedgerSql ledger, Query query) {
    String text = ledger.render(query);
    Map<String, Param<?>> declared = ledger.parameters(query);
    List<Parameter> parameters = new ArrayList<>();
    Matcher named = NAMED.matcher(text);
    String sql =
        named.replaceAll(
            match -> {
              String name = match.group(1);
              parameters.add(new Parameter(name, sqlType(declared.get(name))));
              return "?";
            });
    return new ScalarStatement(text, sql, List.copyOf(parameters));
  }

  private static int sqlType(@Nullable Param<?> parameter) {
    if (parameter == null) {
      throw new IllegalStateException("a colon that starts no parameter");
    }
    Class<?> type = parameter.getDataType().getType();
    if (type == UUID.class) {
      return Types.OTHER;
    }
    // to PostgreSQL's driver a BLOB is a large object
    return type == byte[].class ? Types.BINARY : parameter.getDataType().getSQLType();
  }

  /** The statement with its parameters named. */
  String text() {
    return text;
  }

  /** Runs a query that answers no row or one; more are a bug. */
  <T> Optional<T> query(Connection connection, Bindings values, Reader<T> reader)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, values);
        ResultSet rows = statement.executeQuery()) {
      refuseUnconfirmed(connection, statement);
      if (!rows.next()) {
        return Optional.empty();
      }
      T answer = reader.read(new AnswerRow(rows));
      if (rows.next()) {
        throw new IllegalStateException("a statement over one row answered several");
      }
      return Optional.of(answer);
    }
  }

  /** Runs an update of no row or one; true where it was one, more are a bug. */
  boolean update(Connection connection, Bindings values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, values)) {
      int rows = statement.executeUpdate();
      refuseUnconfirmed(connection, statement);
      return switch (rows) {
        case 0 -> false;
        case 1 -> true;
        default -> throw new IllegalStateException("a statement over one row changed " + rows);
      };
    }
  }

  private static void refuseUnconfirmed(Connection connection, PreparedStatement statement)
      throws SQLException {
    if (connection.getAutoCommit()) {
      DatabaseFailure.refuseUnconfirmed(statement.getWarnings());
    }
  }

  /**
   * Runs it for each of these, in one round trip; which of them changed a row. No warning is looked
   * at: a renewal that is lost ends a lease early, which the fence covers.
   */
  List<Boolean> updateEach(Connection connection, List<Bindings> values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Bindings one : values) {
        bind(connection, statement, one);
        statement.addBatch();
      }
      List<Boolean> changed = new ArrayList<>();
      for (int rows : statement.executeBatch()) {
        changed.add(rows > 0);
      }
      return changed;
    }
  }

  private PreparedStatement prepare(Connection connection, Bindings values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      bind(connection, statement, values);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private void bind(Connection connection, PreparedStatement statement, Bindings values)
      throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      Object value = values.get(parameter.name());
      if (value == null) {
        statement.setNull(i + 1, parameter.sqlType());
      } else if (value instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else if (value instanceof Long[] numbers) {
        Array array = connection.createArrayOf(SQLDataType.BIGINT.getTypeName(), numbers);
        statement.setArray(i + 1, array);
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }
}
