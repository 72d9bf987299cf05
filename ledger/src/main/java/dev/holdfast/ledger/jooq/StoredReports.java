package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.settlement.Verdict;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds a report that was stored before: after a lost answer the same claim sends the same evidence
 * again, and it must count once.
 */
final class StoredReports {
  private final DSLContext transaction;
  private final Report report;

  StoredReports(DSLContext transaction, Report report) {
    this.transaction = transaction;
    this.report = report;
  }

  /** Whether it was stored with this disposition. */
  boolean hasAs(String disposition) {
    return transaction.fetchExists(
        OBSERVATION, sameEvidence().and(OBSERVATION.DISPOSITION.eq(disposition)));
  }

  /**
   * Whether it was stored at all, as a receipt too; what was set aside does not count. What settled
   * the operation has heard it then, and a person may have decided what it contradicts: sent again
   * it must not undo that.
   */
  boolean has() {
    return transaction.fetchExists(
            OBSERVATION, sameEvidence().and(OBSERVATION.DISPOSITION.ne("quarantined")))
        || hasReceipt();
  }

  private Condition sameEvidence() {
    Tuple tuple = report.observation().tuple();
    SuccessEvidence success = report.success();
    VerifiedResponse response = success == null ? null : success.response();
    byte @Nullable [] digest = response == null ? null : response.digest().bytes();
    return OBSERVATION
        .SCOPE
        .eq(tuple.scope().value())
        .and(OBSERVATION.OPERATION_ID.eq(tuple.operation().text()))
        .and(OBSERVATION.FINGERPRINT_SCHEME.eq(tuple.fingerprint().scheme()))
        .and(OBSERVATION.FINGERPRINT_SHA256.eq(tuple.fingerprint().digest().bytes()))
        .and(OBSERVATION.GENERATION.eq(tuple.generation().value()))
        .and(OBSERVATION.EPOCH.eq(tuple.epoch().value()))
        .and(OBSERVATION.CLAIM_ID.eq(report.attempt().value()))
        .and(OBSERVATION.KIND.eq(report.observation().word()))
        .and(OBSERVATION.REASON.isNotDistinctFrom(val(report.reason(), OBSERVATION.REASON)))
        .and(
            OBSERVATION.UPSTREAM_STATUS.isNotDistinctFrom(
                val(report.status(), OBSERVATION.UPSTREAM_STATUS)))
        .and(
            OBSERVATION.RESPONSE_SHA256.isNotDistinctFrom(val(digest, OBSERVATION.RESPONSE_SHA256)))
        .and(
            OBSERVATION.EFFECT_ID.isNotDistinctFrom(
                val(response == null ? null : response.effect().value(), OBSERVATION.EFFECT_ID)));
  }

  private boolean hasReceipt() {
    SuccessEvidence success = report.success();
    if (success == null) {
      return false;
    }
    Tuple tuple = success.tuple();
    Sha256 digest = success.response().digest();
    return transaction.fetchExists(
        RECEIPT,
        RECEIPT
            .SCOPE
            .eq(tuple.scope().value())
            .and(RECEIPT.OPERATION_ID.eq(tuple.operation().text()))
            .and(RECEIPT.CLAIM_ID.eq(report.lease().claimId().value()))
            .and(
                report.isFound()
                    ? RECEIPT.EVIDENCE_CLAIM_ID.eq(report.attempt().value())
                    : RECEIPT.EVIDENCE_CLAIM_ID.isNull())
            .and(RECEIPT.RESPONSE_SHA256.eq(digest.bytes()))
            .and(RECEIPT.EFFECT_ID.eq(success.response().effect().value())));
  }

  /**
   * Whether a success that came by itself was stored, whatever became of it since: a person may
   * have decided it. What was set aside counts once its tuple has come to match.
   */
  static boolean isDelivered(DSLContext transaction, SuccessEvidence evidence, Verdict verdict) {
    Tuple tuple = evidence.tuple();
    VerifiedResponse response = evidence.response();
    return transaction.fetchExists(
        OBSERVATION,
        OBSERVATION
            .SCOPE
            .eq(tuple.scope().value())
            .and(OBSERVATION.OPERATION_ID.eq(tuple.operation().text()))
            .and(OBSERVATION.OBSERVER.eq("none"))
            .and(OBSERVATION.KIND.eq(evidence.observation().word()))
            .and(
                verdict instanceof Verdict.Quarantined
                    ? OBSERVATION.DISPOSITION.eq(verdict.disposition())
                    : OBSERVATION.DISPOSITION.ne("quarantined"))
            .and(OBSERVATION.FINGERPRINT_SCHEME.eq(tuple.fingerprint().scheme()))
            .and(OBSERVATION.FINGERPRINT_SHA256.eq(tuple.fingerprint().digest().bytes()))
            .and(OBSERVATION.GENERATION.eq(tuple.generation().value()))
            .and(OBSERVATION.EPOCH.eq(tuple.epoch().value()))
            .and(OBSERVATION.UPSTREAM_STATUS.eq(response.status()))
            .and(OBSERVATION.RESPONSE_SHA256.eq(response.digest().bytes()))
            .and(OBSERVATION.EFFECT_ID.eq(response.effect().value())));
  }
}
