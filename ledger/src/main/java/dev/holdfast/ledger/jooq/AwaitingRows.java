package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.row;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Lists what waits, by the small index that holds nothing else.
 *
 * <pre>{@code
 * select … from operation
 * where attention_at is not null and scope = ? and (parked_reason is not null or …)
 *   and (attention_at, scope, operation_id) > (?, ?, ?)
 * order by attention_at, scope, operation_id limit ?
 * }</pre>
 *
 * <p>Together with those of which a success was set aside, by an index that holds nothing else.
 */
final class AwaitingRows {
  private static final Field<Instant> SINCE = field(name("since"), SQLDataType.INSTANT);
  private static final Field<Integer> SET_ASIDE = field(name("set_aside"), SQLDataType.INTEGER);

  private static final List<Field<?>> COLUMNS =
      List.of(
          OPERATION.SCOPE,
          OPERATION.OPERATION_ID,
          OPERATION.STATE,
          OPERATION.PARKED_REASON,
          OPERATION.REVISION,
          OPERATION.OPEN_ATTEMPTS,
          OPERATION.PENDING_EVIDENCE);

  private AwaitingRows() {}

  static List<AwaitingOperation> load(DSLContext sql, AwaitingQuery query) {
    ResultQuery<?> found =
        query.causes().contains(AwaitingOperation.Cause.QUARANTINE)
            ? withQuarantined(sql, query)
            : query(sql, query);
    return found.fetch(AwaitingRows::read);
  }

  static ResultQuery<?> query(DSLContext sql, AwaitingQuery query) {
    return sql.select(COLUMNS)
        .select(OPERATION.ATTENTION_AT.as(SINCE), QuarantineRows.unseen().as(SET_ASIDE))
        .from(OPERATION)
        .where(waits(query))
        .and(inScope(query))
        .and(behind(query, OPERATION.ATTENTION_AT, OPERATION.SCOPE, OPERATION.OPERATION_ID))
        .orderBy(OPERATION.ATTENTION_AT, OPERATION.SCOPE, OPERATION.OPERATION_ID)
        .limit(query.limit());
  }

  /** One that waits for both is listed once, with the earlier cause's instant. */
  static ResultQuery<?> withQuarantined(DSLContext sql, AwaitingQuery query) {
    Table<?> all =
        sql.select(COLUMNS)
            .select(OPERATION.ATTENTION_AT.as(SINCE), QuarantineRows.unseen().as(SET_ASIDE))
            .from(OPERATION)
            .where(waits(query))
            .and(inScope(query))
            .unionAll(
                QuarantineRows.unseen(sql, COLUMNS, SINCE, SET_ASIDE)
                    .and(not(waits(query)))
                    .and(inScope(query))
                    .groupBy(OPERATION.SCOPE, OPERATION.OPERATION_ID))
            .asTable("awaiting");
    Field<String> scope = in(all, OPERATION.SCOPE);
    Field<String> operation = in(all, OPERATION.OPERATION_ID);
    Field<Instant> since = in(all, SINCE);
    return sql.select(all.fields())
        .from(all)
        .where(behind(query, since, scope, operation))
        .orderBy(since, scope, operation)
        .limit(query.limit());
  }

  private static <T> Field<T> in(Table<?> all, Field<T> column) {
    return Objects.requireNonNull(all.field(column), column::getName);
  }

  private static Condition waits(AwaitingQuery query) {
    return OPERATION
        .ATTENTION_AT
        .isNotNull()
        .and(
            query.causes().stream()
                .sorted()
                .map(AwaitingRows::waitsFor)
                .reduce(falseCondition(), Condition::or));
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
      case QUARANTINE -> falseCondition();
    };
  }

  private static Condition behind(
      AwaitingQuery query, Field<Instant> since, Field<String> scope, Field<String> operation) {
    AwaitingOperation last = query.after();
    return last == null
        ? noCondition()
        : row(since, scope, operation)
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
        get(row, SET_ASIDE),
        get(row, SINCE));
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
