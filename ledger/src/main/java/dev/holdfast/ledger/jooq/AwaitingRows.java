package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.row;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.settlement.OperationState;
import java.util.List;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;

/**
 * Lists what waits, by the small index that holds nothing else.
 *
 * <pre>{@code
 * select … from operation
 * where attention_at is not null and scope = ? and (parked_reason is not null or …)
 *   and (attention_at, scope, operation_id) > (?, ?, ?)
 * order by attention_at, scope, operation_id limit ?
 * }</pre>
 */
final class AwaitingRows {
  private AwaitingRows() {}

  static List<AwaitingOperation> load(DSLContext sql, AwaitingQuery query) {
    return query(sql, query).fetch(AwaitingRows::read);
  }

  static ResultQuery<?> query(DSLContext sql, AwaitingQuery query) {
    return sql.select(
            OPERATION.SCOPE,
            OPERATION.OPERATION_ID,
            OPERATION.STATE,
            OPERATION.PARKED_REASON,
            OPERATION.REVISION,
            OPERATION.OPEN_ATTEMPTS,
            OPERATION.PENDING_EVIDENCE,
            OPERATION.ATTENTION_AT)
        .from(OPERATION)
        .where(OPERATION.ATTENTION_AT.isNotNull())
        .and(inScope(query))
        .and(or(query.causes().stream().sorted().map(AwaitingRows::waitsFor).toList()))
        .and(behind(query))
        .orderBy(OPERATION.ATTENTION_AT, OPERATION.SCOPE, OPERATION.OPERATION_ID)
        .limit(query.limit());
  }

  private static Condition inScope(AwaitingQuery query) {
    Scope scope = query.scope();
    return scope == null ? noCondition() : OPERATION.SCOPE.eq(scope.value());
  }

  private static Condition waitsFor(AwaitingOperation.Cause cause) {
    return switch (cause) {
      case PARKED -> OPERATION.PARKED_REASON.isNotNull();
      case CONFLICT -> OPERATION.STATE.eq(OperationState.CONFLICT.word());
      case EVIDENCE -> OPERATION.PENDING_EVIDENCE.gt(0);
    };
  }

  private static Condition behind(AwaitingQuery query) {
    AwaitingOperation last = query.after();
    return last == null
        ? noCondition()
        : row(OPERATION.ATTENTION_AT, OPERATION.SCOPE, OPERATION.OPERATION_ID)
            .gt(last.since(), last.scope().value(), last.operation().text());
  }

  private static AwaitingOperation read(Record row) {
    return new AwaitingOperation(
        new Scope(get(row, OPERATION.SCOPE)),
        OperationId.parse(get(row, OPERATION.OPERATION_ID)),
        OperationState.of(get(row, OPERATION.STATE)),
        row.get(OPERATION.PARKED_REASON),
        new Revision(get(row, OPERATION.REVISION)),
        get(row, OPERATION.OPEN_ATTEMPTS),
        get(row, OPERATION.PENDING_EVIDENCE),
        get(row, OPERATION.ATTENTION_AT));
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
