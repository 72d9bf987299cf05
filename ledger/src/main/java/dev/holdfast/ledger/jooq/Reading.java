package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * Reads operations. A reader may act upon a completion, so that one whose commit nobody has
 * confirmed yet is confirmed first, as a replay does. Safe for use by many threads.
 */
final class Reading {
  private final LedgerConnection connection;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final ReadStatement read;
  private final ConfirmStatement confirm;

  Reading(LedgerConnection connection, LedgerSql sql, LedgerOptions options, String systemId) {
    this.connection = connection;
    this.sql = sql;
    this.options = options;
    this.read = new ReadStatement(sql, systemId);
    this.confirm = new ConfirmStatement(sql, options.commitLevel());
  }

  Optional<OperationView> read(Scope scope, OperationId operation) {
    Optional<ReadStatement.Found> found =
        connection.autocommit(
            options.networkTimeout(), borrowed -> read.execute(borrowed, scope, operation));
    if (found.isPresent() && !found.get().confirmed()) {
      Completion completion = found.get().operation().completion();
      if (completion != null) {
        confirm(completion);
      }
    }
    return found.map(ReadStatement.Found::operation);
  }

  Generation currentBinding(Scope scope, BindingName binding) {
    return asked(dsl -> RotateTransaction.current(dsl, scope, binding));
  }

  boolean hasReceipt(Completion completion) {
    return asked(
        dsl ->
            dsl.fetchExists(
                RECEIPT,
                RECEIPT
                    .SCOPE
                    .eq(completion.scope().value())
                    .and(RECEIPT.OPERATION_ID.eq(completion.operation().text()))
                    .and(RECEIPT.RECEIPT_NUMBER.eq(completion.receipt().value()))
                    .and(RECEIPT.TIMELINE.eq(completion.position().timeline()))));
  }

  Optional<AttemptOrigin> originOf(Scope scope, OperationId operation, ClaimId earlier) {
    return asked(dsl -> AttemptRows.originOf(dsl, scope, operation, earlier));
  }

  private <T> T asked(Function<DSLContext, T> question) {
    return connection.autocommit(
        options.networkTimeout(),
        borrowed -> {
          try {
            return question.apply(DSL.using(sql.configuration().derive(borrowed)));
          } catch (DataAccessException e) {
            throw DatabaseFailure.within(e);
          }
        });
  }

  /** By a commit that comes after the receipt's. */
  private void confirm(Completion completion) {
    Duration patience = options.networkTimeout();
    connection.autocommit(
        patience,
        borrowed -> confirm.execute(borrowed, completion, StatementSettings.bindings(patience)));
  }
}
