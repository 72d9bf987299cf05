package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;

/**
 * Loads the successes that await their pick-up, in the order of their commits: whoever stored one
 * had locked the operation's row.
 */
final class PendingRows {
  private PendingRows() {}

  /** All of the operation's epoch; in a statement after the lock, so that none is missed. */
  static List<SuccessEvidence> load(DSLContext transaction, OperationRow operation) {
    Reservation reservation = operation.reservation();
    return transaction
        .selectFrom(OBSERVATION)
        .where(OBSERVATION.SCOPE.eq(reservation.scope().value()))
        .and(OBSERVATION.OPERATION_ID.eq(reservation.operation().text()))
        .and(OBSERVATION.EPOCH.eq(operation.epoch().value()))
        .and(OBSERVATION.DISPOSITION.eq("pending"))
        .orderBy(OBSERVATION.OBSERVATION_NUMBER)
        .fetch(row -> evidence(reservation, row));
  }

  private static SuccessEvidence evidence(Reservation reservation, Record row) {
    Tuple tuple =
        new Tuple(
            reservation.scope(),
            reservation.operation(),
            new RequestFingerprint(
                get(row, OBSERVATION.FINGERPRINT_SCHEME),
                Sha256.ofDigest(get(row, OBSERVATION.FINGERPRINT_SHA256))),
            new Generation(get(row, OBSERVATION.GENERATION)),
            new Epoch(get(row, OBSERVATION.EPOCH)));
    UUID attempt = row.get(OBSERVATION.CLAIM_ID);
    return new SuccessEvidence(
        tuple,
        attempt == null ? null : new ClaimId(attempt),
        response(row),
        ResultColumns.read(
            get(row, OBSERVATION.RESULT_KIND),
            row.get(OBSERVATION.RESULT),
            row.get(OBSERVATION.RESULT_SHA256)));
  }

  private static VerifiedResponse response(Record row) {
    return Mint.response(
        get(row, OBSERVATION.UPSTREAM_STATUS),
        Sha256.ofDigest(get(row, OBSERVATION.RESPONSE_SHA256)),
        new EffectId(get(row, OBSERVATION.EFFECT_ID)),
        EvidenceGrade.valueOf(get(row, OBSERVATION.GRADE).toUpperCase(Locale.ROOT)));
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
