package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Asks which attempts of an operation are open: neither an observation nor a receipt with their
 * claim id closes them. Asked under the row's lock, in a statement after it; no guard asks it.
 */
final class AttemptRows {
  private static final Field<String> LAST_REASON =
      DSL.field(DSL.name("last_reason"), SQLDataType.VARCHAR);

  private final DSLContext transaction;
  private final OperationRow operation;

  AttemptRows(DSLContext transaction, OperationRow operation) {
    this.transaction = transaction;
    this.operation = operation;
  }

  /** Whether this claim stands in the operation, or stood there. */
  boolean isKnown(ClaimId claim) {
    return operation.claimId().equals(claim)
        || transaction.fetchExists(
            ATTEMPT,
            ofOperation(ATTEMPT.SCOPE, ATTEMPT.OPERATION_ID)
                .and(ATTEMPT.CLAIM_ID.eq(claim.value())));
  }

  /** Whether this claim's attempt has been closed. */
  boolean isClosed(ClaimId claim) {
    Field<UUID> id = DSL.val(claim.value());
    return transaction.fetchExists(closing(id).unionAll(proving(id)));
  }

  /** Whether this claim gave its attempt back undispatched, for this reason. */
  boolean isGivenBackFor(ClaimId claim, String reason) {
    return transaction.fetchExists(
        closing(DSL.val(claim.value()))
            .and(OBSERVATION.KIND.eq("not_dispatched"))
            .and(OBSERVATION.REASON.eq(reason)));
  }

  /**
   * Whether a success of any of these was set aside because its tuple differs. It opens nothing: it
   * keeps the next one from being sent before a person has looked.
   */
  boolean isAnySetAside(List<OpenAttempt> attempts) {
    return transaction.fetchExists(
        OBSERVATION,
        ofOperation(OBSERVATION.SCOPE, OBSERVATION.OPERATION_ID)
            .and(
                OBSERVATION.CLAIM_ID.in(
                    attempts.stream().map(attempt -> attempt.claimId().value()).toList()))
            .and(OBSERVATION.KIND.eq("succeeded"))
            .and(OBSERVATION.DISPOSITION.eq("quarantined")));
  }

  /** Every claim whose attempt has been closed. */
  Set<ClaimId> closed() {
    return transaction
        .select(OBSERVATION.CLAIM_ID)
        .from(OBSERVATION)
        .where(ofOperation(OBSERVATION.SCOPE, OBSERVATION.OPERATION_ID))
        .and(OBSERVATION.CLOSES_ATTEMPT)
        .union(
            select(RECEIPT.CLAIM_ID)
                .from(RECEIPT)
                .where(ofOperation(RECEIPT.SCOPE, RECEIPT.OPERATION_ID)))
        .fetchSet(row -> new ClaimId(row.value1()));
  }

  /**
   * Whether an earlier attempt of this epoch is open that could still land when the current one was
   * claimed.
   */
  boolean isOtherOpen() {
    return transaction.fetchExists(
        ATTEMPT,
        ofOperation(ATTEMPT.SCOPE, ATTEMPT.OPERATION_ID)
            .and(ATTEMPT.EPOCH.eq(operation.epoch().value()))
            .and(ATTEMPT.CLAIM_ID.ne(operation.claimId().value()))
            .and(ATTEMPT.HORIZON_AT.gt(operation.claimedAt()))
            .and(notExists(closing(ATTEMPT.CLAIM_ID)))
            .and(notExists(proving(ATTEMPT.CLAIM_ID))));
  }

  /** All attempts of this epoch that are open but the current one, oldest claim first. */
  List<OpenAttempt> open() {
    return transaction
        .select(ATTEMPT.fields())
        .select(lastReason())
        .from(ATTEMPT)
        .where(ofOperation(ATTEMPT.SCOPE, ATTEMPT.OPERATION_ID))
        .and(ATTEMPT.EPOCH.eq(operation.epoch().value()))
        .and(ATTEMPT.CLAIM_ID.ne(operation.claimId().value()))
        .and(notExists(closing(ATTEMPT.CLAIM_ID)))
        .and(notExists(proving(ATTEMPT.CLAIM_ID)))
        .orderBy(ATTEMPT.FENCING_TOKEN)
        .fetch(AttemptRows::openAttempt);
  }

  private static OpenAttempt openAttempt(Record row) {
    return new OpenAttempt(
        new ClaimId(get(row, ATTEMPT.CLAIM_ID)),
        new FencingToken(get(row, ATTEMPT.FENCING_TOKEN)),
        new Generation(get(row, ATTEMPT.GENERATION)),
        origin(row),
        get(row, ATTEMPT.CLAIMED_AT),
        get(row, ATTEMPT.DISPATCH_DEADLINE_AT),
        get(row, ATTEMPT.HORIZON_AT),
        row.get(LAST_REASON));
  }

  /** Where a claim came from that stands in the operation no longer; asked without a lock. */
  static Optional<AttemptOrigin> originOf(
      DSLContext dsl, Scope scope, OperationId operation, ClaimId claim) {
    return dsl.select(
            ATTEMPT.NAMESPACE,
            ATTEMPT.WORKFLOW_ID,
            ATTEMPT.RUN_ID,
            ATTEMPT.ACTIVITY_ID,
            ATTEMPT.ATTEMPT_NUMBER)
        .from(ATTEMPT)
        .where(ATTEMPT.SCOPE.eq(scope.value()))
        .and(ATTEMPT.OPERATION_ID.eq(operation.text()))
        .and(ATTEMPT.CLAIM_ID.eq(claim.value()))
        .fetchOptional(AttemptRows::origin);
  }

  private static AttemptOrigin origin(Record row) {
    return new AttemptOrigin(
        get(row, ATTEMPT.NAMESPACE),
        row.get(ATTEMPT.WORKFLOW_ID),
        row.get(ATTEMPT.RUN_ID),
        row.get(ATTEMPT.ACTIVITY_ID),
        get(row, ATTEMPT.ATTEMPT_NUMBER));
  }

  private Field<String> lastReason() {
    return DSL.field(
            select(OBSERVATION.REASON)
                .from(OBSERVATION)
                .where(ofOperation(OBSERVATION.SCOPE, OBSERVATION.OPERATION_ID))
                .and(OBSERVATION.CLAIM_ID.eq(ATTEMPT.CLAIM_ID))
                .and(OBSERVATION.REASON.isNotNull())
                .orderBy(OBSERVATION.OBSERVATION_NUMBER.desc())
                .limit(inline(1)))
        .as(LAST_REASON);
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }

  /** Whose dispatch the operation was completed with. */
  ClaimId settled() {
    return new ClaimId(
        transaction
            .select(DSL.coalesce(RECEIPT.EVIDENCE_CLAIM_ID, RECEIPT.CLAIM_ID))
            .from(RECEIPT)
            .where(ofOperation(RECEIPT.SCOPE, RECEIPT.OPERATION_ID))
            .and(RECEIPT.RECEIPT_NUMBER.eq(operation.receiptNumber()))
            .fetchSingle()
            .value1());
  }

  private SelectConditionStep<Record1<Integer>> closing(Field<UUID> claim) {
    return selectOne()
        .from(OBSERVATION)
        .where(ofOperation(OBSERVATION.SCOPE, OBSERVATION.OPERATION_ID))
        .and(OBSERVATION.CLAIM_ID.eq(claim))
        .and(OBSERVATION.CLOSES_ATTEMPT);
  }

  private Select<Record1<Integer>> proving(Field<UUID> claim) {
    return selectOne()
        .from(RECEIPT)
        .where(ofOperation(RECEIPT.SCOPE, RECEIPT.OPERATION_ID))
        .and(RECEIPT.CLAIM_ID.eq(claim));
  }

  private Condition ofOperation(Field<String> scope, Field<String> id) {
    Reservation reservation = operation.reservation();
    return scope.eq(reservation.scope().value()).and(id.eq(reservation.operation().text()));
  }
}
