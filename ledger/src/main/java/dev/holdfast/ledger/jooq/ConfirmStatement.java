package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.CommonTableExpression;
import org.jooq.Query;

/** Notes that a receipt's commit is confirmed, by a commit that comes after it. */
final class ConfirmStatement {
  private static final Operation O = OPERATION.as("o");

  private final ScalarStatement statement;

  ConfirmStatement(LedgerSql sql, CommitLevel level) {
    CommonTableExpression<?> settings = StatementSettings.confirmed(level);
    Query query =
        with(settings)
            .update(O)
            .set(O.DURABLE_CONFIRMED_AT, sql.clock().now())
            .from(settings)
            .where(O.SCOPE.eq(Parameters.SCOPE))
            .and(O.OPERATION_ID.eq(Parameters.OPERATION_ID))
            .and(O.RECEIPT_NUMBER.eq(Parameters.of(O.RECEIPT_NUMBER)))
            .and(O.DURABLE_CONFIRMED_AT.isNull())
            .and(trueCondition());
    this.statement = ScalarStatement.of(sql, query);
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** False where somebody else confirmed it meanwhile. */
  boolean execute(Connection connection, Completion completion, Bindings settings)
      throws SQLException {
    Bindings values = Parameters.key(settings, completion.scope(), completion.operation());
    values.set(O.RECEIPT_NUMBER, completion.receipt().value());
    return statement.update(connection, values);
  }
}
