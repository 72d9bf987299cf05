package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import dev.holdfast.ledger.jooq.generated.tables.Receipt;
import dev.holdfast.ledger.jooq.generated.tables.Resource;
import dev.holdfast.ledger.settlement.OperationState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Reads one operation.
 *
 * <pre>{@code
 * select o.fingerprint_scheme,
 * o.fingerprint_sha256,
 * o.generation,
 * o.resource_id,
 * o.epoch,
 * o.state,
 * o.parked_reason,
 * o.revision,
 * o.open_attempts,
 * o.pending_evidence,
 * o.fencing_token,
 * o.namespace,
 * o.workflow_id,
 * o.run_id,
 * o.activity_id,
 * o.attempt_number,
 * o.result_kind,
 * o.result,
 * o.result_sha256,
 * o.effect_id,
 * o.failure_code,
 * o.upstream_status,
 * o.receipt_number,
 * o.receipt_timeline,
 * o.durable_confirmed_at,
 * (
 *   select r.fencing_token
 *   from resource as r
 *   where (r.scope = o.scope and r.resource_id = o.resource_id)) as resource_token,
 * (
 *   select coalesce(p.evidence_claim_id, p.claim_id)
 *   from receipt as p
 *   where (p.scope = o.scope and p.operation_id = o.operation_id and p.receipt_number =
 *       o.receipt_number)) as receipt_claim,
 * cast(extract(epoch from o.expires_at - ledger_clock()) * 1000000 as bigint) as lease_left_us
 * from operation as o
 * where (o.scope = :scope and o.operation_id = :operation_id)
 * }</pre>
 */
final class ReadStatement {
  private static final Operation O = OPERATION.as("o");
  private static final Resource R = RESOURCE.as("r");
  private static final Field<Long> RESOURCE_TOKEN =
      field(name("resource_token"), SQLDataType.BIGINT);
  private static final Receipt P = RECEIPT.as("p");
  private static final Field<UUID> RECEIPT_CLAIM = field(name("receipt_claim"), SQLDataType.UUID);
  private static final Field<Long> LEASE_LEFT = field(name("lease_left_us"), SQLDataType.BIGINT);

  private final String systemId;
  private final ScalarStatement statement;

  ReadStatement(LedgerSql sql, String systemId) {
    this.systemId = systemId;
    this.statement = ScalarStatement.of(sql, statement(sql.clock()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** An operation, and whether the commit of its receipt is known to last. */
  record Found(OperationView operation, boolean confirmed) {}

  /** The operation as it stands; empty where nobody claimed it. */
  Optional<Found> execute(Connection connection, Scope scope, OperationId operation)
      throws SQLException {
    Bindings key = Parameters.key(new Bindings(), scope, operation);
    return statement.query(
        connection,
        key,
        row -> new Found(read(row, scope, operation), row.has(O.DURABLE_CONFIRMED_AT)));
  }

  private static Query statement(PostgresClock clock) {
    Field<Long> token =
        DSL.field(
            select(R.FENCING_TOKEN)
                .from(R)
                .where(R.SCOPE.eq(O.SCOPE))
                .and(R.RESOURCE_ID.eq(O.RESOURCE_ID)));
    Field<UUID> evidenceOf =
        DSL.field(
            select(coalesce(P.EVIDENCE_CLAIM_ID, P.CLAIM_ID))
                .from(P)
                .where(P.SCOPE.eq(O.SCOPE))
                .and(P.OPERATION_ID.eq(O.OPERATION_ID))
                .and(P.RECEIPT_NUMBER.eq(O.RECEIPT_NUMBER)));
    return select(
            O.FINGERPRINT_SCHEME,
            O.FINGERPRINT_SHA256,
            O.GENERATION,
            O.RESOURCE_ID,
            O.EPOCH,
            O.STATE,
            O.PARKED_REASON,
            O.REVISION,
            O.OPEN_ATTEMPTS,
            O.PENDING_EVIDENCE,
            O.FENCING_TOKEN,
            O.NAMESPACE,
            O.WORKFLOW_ID,
            O.RUN_ID,
            O.ACTIVITY_ID,
            O.ATTEMPT_NUMBER,
            O.RESULT_KIND,
            O.RESULT,
            O.RESULT_SHA256,
            O.EFFECT_ID,
            O.FAILURE_CODE,
            O.UPSTREAM_STATUS,
            O.RECEIPT_NUMBER,
            O.RECEIPT_TIMELINE,
            O.DURABLE_CONFIRMED_AT)
        .select(
            token.as(RESOURCE_TOKEN),
            evidenceOf.as(RECEIPT_CLAIM),
            clock.microsLeft(O.EXPIRES_AT, clock.now()).as(LEASE_LEFT))
        .from(O)
        .where(O.SCOPE.eq(Parameters.SCOPE))
        .and(O.OPERATION_ID.eq(Parameters.OPERATION_ID));
  }

  private OperationView read(AnswerRow row, Scope scope, OperationId operation)
      throws SQLException {
    Reservation reservation = reservation(row, scope, operation);
    Epoch epoch = new Epoch(row.integer(O.EPOCH));
    boolean committed = row.has(O.RECEIPT_NUMBER);
    return new OperationView(
        reservation,
        epoch,
        OperationState.of(row.givenText(O.STATE)),
        new Revision(row.number(O.REVISION)),
        new FencingToken(row.number(O.FENCING_TOKEN)),
        row.integer(O.OPEN_ATTEMPTS),
        row.integer(O.PENDING_EVIDENCE),
        leaseRest(row, reservation.resource()),
        row.text(O.PARKED_REASON),
        committed ? completion(row, reservation, epoch) : null,
        committed ? new ClaimId(row.uuid(RECEIPT_CLAIM)) : null,
        origin(row),
        committed ? result(row) : null,
        failure(row));
  }

  private static Reservation reservation(AnswerRow row, Scope scope, OperationId operation)
      throws SQLException {
    return new Reservation(
        scope,
        operation,
        new RequestFingerprint(
            row.givenText(O.FINGERPRINT_SCHEME),
            Sha256.ofDigest(row.givenBytes(O.FINGERPRINT_SHA256))),
        new Generation(row.number(O.GENERATION)),
        new ResourceId(row.givenText(O.RESOURCE_ID)));
  }

  private Completion completion(AnswerRow row, Reservation reservation, Epoch epoch)
      throws SQLException {
    return new Completion(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        reservation.generation(),
        epoch,
        new EffectId(row.givenText(O.EFFECT_ID)),
        new ReceiptNumber(row.number(O.RECEIPT_NUMBER)),
        new LedgerPosition(systemId, row.number(O.RECEIPT_TIMELINE)));
  }

  private static AttemptOrigin origin(AnswerRow row) throws SQLException {
    return new AttemptOrigin(
        row.givenText(O.NAMESPACE),
        row.text(O.WORKFLOW_ID),
        row.text(O.RUN_ID),
        row.text(O.ACTIVITY_ID),
        row.integer(O.ATTEMPT_NUMBER));
  }

  private static StoredResult result(AnswerRow row) throws SQLException {
    return ResultColumns.read(
        row.givenText(O.RESULT_KIND), row.bytes(O.RESULT), row.bytes(O.RESULT_SHA256));
  }

  private static @Nullable SettledFailure failure(AnswerRow row) throws SQLException {
    String code = row.text(O.FAILURE_CODE);
    return code == null ? null : new SettledFailure(code, row.integer(O.UPSTREAM_STATUS));
  }

  /** Live only in progress, and where a shared resource's row still bears the operation's token. */
  private static Duration leaseRest(AnswerRow row, ResourceId resource) throws SQLException {
    Duration left = row.micros(LEASE_LEFT);
    boolean live =
        OperationState.of(row.givenText(O.STATE)) == OperationState.IN_PROGRESS
            && left.isPositive()
            && (!resource.isShared() || row.number(RESOURCE_TOKEN) == row.number(O.FENCING_TOKEN));
    return live ? left : Duration.ZERO;
  }
}
