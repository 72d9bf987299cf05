package dev.holdfast.ledger.testbed;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * All that the ledger stores of one operation, as it stood when it was read, past the API under
 * test.
 *
 * @param row the operation's own, null where nobody claimed it
 * @param version changes with every write to the row, whatever was written
 * @param attempts former ones, in the order of their tokens
 * @param observations in the order in which they were written
 * @param receipts in the order of their tokens
 */
public record StoredOperation(
    @Nullable Record row,
    @Nullable String version,
    List<Record> attempts,
    List<Record> observations,
    List<Record> receipts) {

  private static final Field<String> VERSION =
      DSL.field("ctid::text || ' ' || xmin::text", String.class);

  /** Reads it. */
  public static StoredOperation of(EmbeddedLedger ledger, Reservation reservation) {
    return of(ledger, reservation.scope(), reservation.operation());
  }

  /** Reads it. */
  public static StoredOperation of(EmbeddedLedger ledger, Scope scope, OperationId operation) {
    DSLContext sql = ledger.sql();
    return sql.transactionResult(
        transaction -> {
          DSLContext snapshot = transaction.dsl();
          snapshot.execute("set transaction isolation level repeatable read, read only");
          return new StoredOperation(
              only(rows(snapshot, OPERATION, scope, operation)),
              snapshot
                  .select(VERSION)
                  .from(OPERATION)
                  .where(OPERATION.SCOPE.eq(scope.value()))
                  .and(OPERATION.OPERATION_ID.eq(operation.text()))
                  .fetchOne(VERSION),
              rows(snapshot, ATTEMPT, scope, operation, ATTEMPT.FENCING_TOKEN),
              rows(snapshot, OBSERVATION, scope, operation, OBSERVATION.OBSERVATION_NUMBER),
              rows(snapshot, RECEIPT, scope, operation, RECEIPT.FENCING_TOKEN));
        });
  }

  private static List<Record> rows(
      DSLContext sql, Table<Record> table, Scope scope, OperationId operation, Field<?>... order) {
    return sql.selectFrom(table)
        .where(DSL.field(DSL.name("scope"), String.class).eq(scope.value()))
        .and(DSL.field(DSL.name("operation_id"), String.class).eq(operation.text()))
        .orderBy(order)
        .fetch();
  }

  private static @Nullable Record only(List<Record> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }

  /** A column of its row; null where the column is, or nobody claimed it. */
  public <T> @Nullable T get(Field<T> column) {
    return row == null ? null : row.get(column);
  }
}
