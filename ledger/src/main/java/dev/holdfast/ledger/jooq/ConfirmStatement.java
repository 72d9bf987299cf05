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

/**
 * Notes that a receipt's commit is confirmed, by a commit that comes after it.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit',
 *       case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply'
 *       else 'on' end, true) as synchronous_commit) update operation as o
 * set durable_confirmed_at = ledger_clock()
 * from settings
 * where (o.scope = :scope and o.operation_id = :operation_id and o.receipt_number =
 *     :receipt_number and o.durable_confirmed_at is null and true)
 * }</pre>
 */
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
