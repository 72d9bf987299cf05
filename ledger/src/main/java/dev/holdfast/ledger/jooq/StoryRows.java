package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESERVATION_HISTORY;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Loads all that is kept of one operation but its results, on one snapshot. */
final class StoryRows {
  /** 1,000: an operation has a handful, and one that is retried for ever must not fill a heap. */
  private static final int LAST = 1_000;

  private final DSLContext snapshot;
  private final PostgresClock clock;
  private final String systemId;
  private final Scope scope;
  private final OperationId operation;

  StoryRows(
      DSLContext snapshot,
      PostgresClock clock,
      String systemId,
      Scope scope,
      OperationId operation) {
    this.snapshot = snapshot;
    this.clock = clock;
    this.systemId = systemId;
    this.scope = scope;
    this.operation = operation;
  }

  /** Empty where nobody claimed it. */
  Optional<OperationStory> load() {
    return snapshot
        .select(Stream.of(OPERATION.fields()).filter(f -> !f.equals(OPERATION.RESULT)).toList())
        .select(clock.now().as(OperationRow.JUDGED_AT))
        .from(OPERATION)
        .where(OPERATION.SCOPE.eq(scope.value()))
        .and(OPERATION.OPERATION_ID.eq(operation.text()))
        .fetchOptional()
        .map(this::story);
  }

  private OperationStory story(Record row) {
    OperationRow current = new OperationRow(row);
    StoryReader reader = new StoryReader(scope, operation, systemId);
    return new OperationStory(
        new OperationViews(snapshot, systemId).outline(current),
        current.judgedAt(),
        current.attentionAt(),
        attempts(reader, row, current),
        last(OBSERVATION, OBSERVATION.OBSERVATION_NUMBER, reader::seen),
        last(RECEIPT, RECEIPT.FENCING_TOKEN, reader::proof),
        last(OPERATOR_ACT, OPERATOR_ACT.ACT_NUMBER, reader::act),
        last(RESERVATION_HISTORY, RESERVATION_HISTORY.REVISION, reader::change),
        QuarantineRows.load(snapshot, scope, operation));
  }

  private List<OperationStory.Attempt> attempts(
      StoryReader reader, Record row, OperationRow current) {
    Set<ClaimId> closed = new AttemptRows(snapshot, current).closed();
    List<OperationStory.Attempt> attempts =
        new ArrayList<>(
            last(
                ATTEMPT,
                ATTEMPT.FENCING_TOKEN,
                former -> reader.attempt(former.into(ATTEMPT), closed::contains)));
    attempts.add(reader.attempt(row.into(ATTEMPT), closed::contains));
    return attempts;
  }

  private <T> List<T> last(
      Table<Record> table, Field<Long> order, Function<? super Record, T> read) {
    List<T> backwards =
        snapshot
            .selectFrom(table)
            .where(column(table, OPERATION.SCOPE).eq(scope.value()))
            .and(column(table, OPERATION.OPERATION_ID).eq(operation.text()))
            .orderBy(order.desc())
            .limit(LAST)
            .fetch(read::apply);
    return backwards.reversed();
  }

  private static Field<String> column(Table<Record> table, Field<String> of) {
    return Objects.requireNonNull(table.field(of), of::getName);
  }
}
