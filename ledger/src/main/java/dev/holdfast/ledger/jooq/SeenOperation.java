package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import dev.holdfast.ledger.settlement.OperationState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * An operation as a claim's snapshot showed it, compared with what was asked. It explains a
 * refusal; it never grants.
 *
 * @param leaseLeft by the row's own columns; negative once it is over
 * @param keyLeft how long the upstream surely still knows the key of the oldest open attempt
 * @param settled present in {@code completed}
 * @param failure present in {@code failed}
 */
record SeenOperation(
    OperationState state,
    boolean sameFingerprint,
    boolean sameGeneration,
    boolean sameResource,
    boolean claimable,
    Epoch epoch,
    long token,
    @Nullable String parkedReason,
    int openAttempts,
    int pendingEvidence,
    Duration leaseLeft,
    Duration keyLeft,
    @Nullable Settled settled,
    @Nullable SettledFailure failure) {
  private static final Operation O = OPERATION.as("o");

  /** What a claim must read to explain itself. */
  static final List<Field<?>> COLUMNS =
      List.of(
          O.STATE,
          O.EPOCH,
          O.FENCING_TOKEN,
          O.PARKED_REASON,
          O.OPEN_ATTEMPTS,
          O.PENDING_EVIDENCE,
          O.DURABLE_CONFIRMED_AT,
          O.RECEIPT_NUMBER,
          O.RECEIPT_TIMELINE,
          O.EFFECT_ID,
          O.RESULT_KIND,
          O.RESULT,
          O.RESULT_SHA256,
          O.FAILURE_CODE,
          O.UPSTREAM_STATUS);

  /**
   * How it was completed.
   *
   * @param confirmed whether the receipt's commit is known to be confirmed
   */
  record Settled(
      ReceiptNumber receipt,
      long timeline,
      EffectId effect,
      StoredResult result,
      boolean confirmed) {}

  /** Whether somebody holds it, by the row's own columns. */
  boolean isLive() {
    return state == OperationState.IN_PROGRESS && leaseLeft.isPositive();
  }

  static SeenOperation read(AnswerRow row) throws SQLException {
    OperationState state = OperationState.of(row.givenText(O.STATE));
    return new SeenOperation(
        state,
        row.flag(ClaimGuard.SAME_FINGERPRINT),
        row.flag(ClaimGuard.SAME_GENERATION),
        row.flag(ClaimGuard.SAME_RESOURCE),
        row.flag(ClaimGuard.CLAIMABLE),
        new Epoch(row.integer(O.EPOCH)),
        row.number(O.FENCING_TOKEN),
        row.text(O.PARKED_REASON),
        row.integer(O.OPEN_ATTEMPTS),
        row.integer(O.PENDING_EVIDENCE),
        row.micros(ClaimGuard.LEASE_LEFT),
        row.micros(ClaimGuard.KEY_LEFT),
        state == OperationState.COMPLETED ? settled(row) : null,
        state == OperationState.FAILED ? failure(row) : null);
  }

  private static Settled settled(AnswerRow row) throws SQLException {
    return new Settled(
        new ReceiptNumber(row.number(O.RECEIPT_NUMBER)),
        row.number(O.RECEIPT_TIMELINE),
        new EffectId(row.givenText(O.EFFECT_ID)),
        ResultColumns.read(
            row.givenText(O.RESULT_KIND), row.bytes(O.RESULT), row.bytes(O.RESULT_SHA256)),
        row.has(O.DURABLE_CONFIRMED_AT));
  }

  private static SettledFailure failure(AnswerRow row) throws SQLException {
    return new SettledFailure(row.givenText(O.FAILURE_CODE), row.integer(O.UPSTREAM_STATUS));
  }
}
