package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.QUARANTINE_WARNING;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record6;
import org.jooq.Select;
import org.jooq.SelectConditionStep;

/**
 * The warnings of one operation. Written under its row's lock, which makes their bounds exact
 * however many settle at once.
 */
final class QuarantineRows {
  /** 8 in 24 hours (seed): few enough to be read; the count goes on. */
  private static final int MOST = 8;

  private static final Duration WINDOW = Duration.ofHours(24);

  private QuarantineRows() {}

  /** The warning that is due now; empty where this pair was warned of, or too many others were. */
  static Optional<QuarantineWarning> warn(DSLContext locked, Tuple observed, Instant now) {
    Select<Record6<String, String, String, byte[], Long, Instant>> due =
        select(
                val(observed.scope().value()),
                val(observed.operation().text()),
                val(observed.fingerprint().scheme()),
                val(observed.fingerprint().digest().bytes()),
                val(observed.generation().value()),
                val(now, QUARANTINE_WARNING.WARNED_AT))
            .where(field(recent(observed, now)).lt(MOST));
    int rows =
        locked
            .insertInto(
                QUARANTINE_WARNING,
                QUARANTINE_WARNING.SCOPE,
                QUARANTINE_WARNING.OPERATION_ID,
                QUARANTINE_WARNING.FINGERPRINT_SCHEME,
                QUARANTINE_WARNING.FINGERPRINT_SHA256,
                QUARANTINE_WARNING.GENERATION,
                QUARANTINE_WARNING.WARNED_AT)
            .select(due)
            .onConflictDoNothing()
            .execute();
    return rows == 0
        ? Optional.empty()
        : Optional.of(
            new QuarantineWarning(
                observed.scope(),
                observed.operation(),
                observed.fingerprint(),
                observed.generation(),
                now));
  }

  /** A clock that went back makes some of them future: they count as well. */
  private static Select<Record1<Integer>> recent(Tuple observed, Instant now) {
    return selectCount()
        .from(QUARANTINE_WARNING)
        .where(ofOperation(observed.scope(), observed.operation()))
        .and(QUARANTINE_WARNING.WARNED_AT.gt(now.minus(WINDOW)));
  }

  /**
   * A success that was set aside, with {@code operation} in the query: no person's act has followed
   * it, and it is not the effect that the operation was completed with.
   */
  private static Condition isUnseen() {
    return OBSERVATION
        .SCOPE
        .eq(OPERATION.SCOPE)
        .and(OBSERVATION.OPERATION_ID.eq(OPERATION.OPERATION_ID))
        .and(OBSERVATION.DISPOSITION.eq(inline("quarantined")))
        .and(OBSERVATION.KIND.eq(inline("succeeded")))
        .and(OBSERVATION.EFFECT_ID.isDistinctFrom(OPERATION.EFFECT_ID))
        .and(
            notExists(
                selectOne()
                    .from(OPERATOR_ACT)
                    .where(OPERATOR_ACT.SCOPE.eq(OBSERVATION.SCOPE))
                    .and(OPERATOR_ACT.OPERATION_ID.eq(OBSERVATION.OPERATION_ID))
                    .and(OPERATOR_ACT.ACTED_AT.ge(OBSERVATION.OBSERVED_AT))));
  }

  /** How many of them there are of {@code operation}. */
  static Field<Integer> unseen() {
    return field(selectCount().from(OBSERVATION).where(isUnseen()));
  }

  /** These columns of the operations that have any, since when and how many. */
  static SelectConditionStep<Record> unseen(
      DSLContext sql, List<Field<?>> columns, Field<Instant> since, Field<Integer> count) {
    return sql.select(columns)
        .select(min(OBSERVATION.OBSERVED_AT).as(since), count().as(count))
        .from(OBSERVATION)
        .join(OPERATION)
        .on(OPERATION.SCOPE.eq(OBSERVATION.SCOPE))
        .and(OPERATION.OPERATION_ID.eq(OBSERVATION.OPERATION_ID))
        .where(isUnseen());
  }

  /** How many there are of this one. */
  static int unseen(DSLContext sql, Scope scope, OperationId operation) {
    return sql.select(unseen())
        .from(OPERATION)
        .where(OPERATION.SCOPE.eq(scope.value()))
        .and(OPERATION.OPERATION_ID.eq(operation.text()))
        .fetchOptional(Record1::value1)
        .orElse(0);
  }

  /** For a person. */
  static OperationStory.Quarantine load(DSLContext snapshot, Scope scope, OperationId operation) {
    int observations =
        snapshot.fetchCount(
            OBSERVATION,
            OBSERVATION
                .SCOPE
                .eq(scope.value())
                .and(OBSERVATION.OPERATION_ID.eq(operation.text()))
                .and(OBSERVATION.DISPOSITION.eq("quarantined")));
    List<QuarantineWarning> warnings =
        snapshot
            .selectFrom(QUARANTINE_WARNING)
            .where(ofOperation(scope, operation))
            .orderBy(QUARANTINE_WARNING.WARNED_AT, QUARANTINE_WARNING.GENERATION)
            .fetch(row -> warning(row, scope, operation));
    return new OperationStory.Quarantine(
        observations, unseen(snapshot, scope, operation), warnings);
  }

  private static QuarantineWarning warning(Record row, Scope scope, OperationId operation) {
    return new QuarantineWarning(
        scope,
        operation,
        new RequestFingerprint(
            get(row, QUARANTINE_WARNING.FINGERPRINT_SCHEME),
            Sha256.ofDigest(get(row, QUARANTINE_WARNING.FINGERPRINT_SHA256))),
        new Generation(get(row, QUARANTINE_WARNING.GENERATION)),
        get(row, QUARANTINE_WARNING.WARNED_AT));
  }

  private static Condition ofOperation(Scope scope, OperationId operation) {
    return QUARANTINE_WARNING
        .SCOPE
        .eq(scope.value())
        .and(QUARANTINE_WARNING.OPERATION_ID.eq(operation.text()));
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
