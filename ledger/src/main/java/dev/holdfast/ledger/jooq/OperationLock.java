package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.name;

import dev.holdfast.ledger.Reservation;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Locks in the one order: the shared resource's row, the operation's row. The clock is read above
 * the lock, so that a wait counts.
 *
 * <pre>{@code
 * with held as materialized (
 *   select operation.* from operation where scope = ? and operation_id = ? for update)
 * select held.*, ledger_clock() as judged_at from held
 * }</pre>
 */
final class OperationLock {
  private final PostgresClock clock;

  OperationLock(PostgresClock clock) {
    this.clock = clock;
  }

  /** Empty where nobody claimed the operation. */
  Optional<LockedOperation> lock(DSLContext transaction, Reservation reservation) {
    long asked = System.nanoTime();
    ResourceRow resource =
        reservation.resource().isShared() ? resource(transaction, reservation) : null;
    return operation(transaction, reservation)
        .map(row -> new LockedOperation(row, resource, asked));
  }

  private static @Nullable ResourceRow resource(DSLContext transaction, Reservation reservation) {
    return transaction
        .selectFrom(RESOURCE)
        .where(RESOURCE.SCOPE.eq(reservation.scope().value()))
        .and(RESOURCE.RESOURCE_ID.eq(reservation.resource().value()))
        .forUpdate()
        .fetchOptional(ResourceRow::of)
        .orElse(null);
  }

  private Optional<OperationRow> operation(DSLContext transaction, Reservation reservation) {
    CommonTableExpression<Record> held =
        name("held")
            .asMaterialized(
                transaction
                    .select(OPERATION.fields())
                    .from(OPERATION)
                    .where(OPERATION.SCOPE.eq(reservation.scope().value()))
                    .and(OPERATION.OPERATION_ID.eq(reservation.operation().text()))
                    .forUpdate());
    return transaction
        .with(held)
        .select(held.fields())
        .select(clock.now().as(OperationRow.JUDGED_AT))
        .from(held)
        .fetchOptional(OperationRow::new);
  }
}
