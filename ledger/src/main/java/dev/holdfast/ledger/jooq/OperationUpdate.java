package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.Reservation;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Compare-and-set of one operation row: tuple, epoch, revision, token and claim id must be what was
 * loaded.
 *
 * <pre>{@code
 * update operation set …, revision = ? where scope = ? and operation_id = ?
 *   and fingerprint_scheme = ? and fingerprint_sha256 = ? and generation = ? and epoch = ?
 *   and revision = ? and fencing_token = ? and claim_id = ? returning …
 * }</pre>
 */
final class OperationUpdate {
  private OperationUpdate() {}

  /** The row afterwards; empty where the guard missed. More than one row is a bug. */
  static Optional<OperationRow> apply(DSLContext transaction, Changes changes) {
    OperationRow seen = changes.before();
    Reservation reservation = seen.reservation();
    return transaction
        .update(OPERATION)
        .set(changes.values())
        .where(OPERATION.SCOPE.eq(reservation.scope().value()))
        .and(OPERATION.OPERATION_ID.eq(reservation.operation().text()))
        .and(OPERATION.FINGERPRINT_SCHEME.eq(reservation.fingerprint().scheme()))
        .and(OPERATION.FINGERPRINT_SHA256.eq(reservation.fingerprint().digest().bytes()))
        .and(OPERATION.GENERATION.eq(reservation.generation().value()))
        .and(OPERATION.EPOCH.eq(seen.epoch().value()))
        .and(OPERATION.REVISION.eq(seen.revision().value()))
        .and(OPERATION.FENCING_TOKEN.eq(seen.token().value()))
        .and(OPERATION.CLAIM_ID.eq(seen.claimId().value()))
        .returningResult(OPERATION.fields())
        .fetchOptional()
        .map(row -> new OperationRow(row, seen.judgedAt()));
  }
}
