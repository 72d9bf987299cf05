package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.TransactionSettings.current;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.Reservation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Writes the receipt of an operation that this transaction has just completed. */
final class ReceiptInsert {
  private ReceiptInsert() {}

  /** Of the receipt that the operation had before it was rebound: the same effect, a new tuple. */
  static void adopt(
      DSLContext transaction, OperationRow before, OperationRow completed, String systemId) {
    SuccessEvidence effect =
        new SuccessEvidence(
            before.tuple(),
            new AttemptRows(transaction, before).settled(),
            Mint.response(
                before.upstreamStatus(),
                before.responseDigest(),
                before.effect(),
                EvidenceGrade.OPERATOR),
            before.result());
    insert(
        transaction, completed, effect, "adopted", before.receiptNumber(), Duration.ZERO, systemId);
  }

  /**
   * @param completed the operation's row as it is now
   * @param evidence what it was completed with
   * @param margin what was left of the lease it was completed under
   */
  static Receipt insert(
      DSLContext transaction,
      OperationRow completed,
      SuccessEvidence evidence,
      Duration margin,
      String systemId) {
    return insert(transaction, completed, evidence, evidence.gradeWord(), null, margin, systemId);
  }

  private static Receipt insert(
      DSLContext transaction,
      OperationRow completed,
      SuccessEvidence evidence,
      String source,
      @Nullable Long adopted,
      Duration margin,
      String systemId) {
    Reservation reservation = completed.reservation();
    ClaimId attempt = evidence.attempt();
    UUID other = attempt == null || attempt.equals(completed.claimId()) ? null : attempt.value();
    int rows =
        transaction
            .insertInto(RECEIPT)
            .set(RECEIPT.SCOPE, reservation.scope().value())
            .set(RECEIPT.OPERATION_ID, reservation.operation().text())
            .set(RECEIPT.FENCING_TOKEN, completed.token().value())
            .set(RECEIPT.RECEIPT_NUMBER, completed.receiptNumber())
            .set(RECEIPT.CLAIM_ID, completed.claimId().value())
            .set(RECEIPT.EVIDENCE_CLAIM_ID, other)
            .set(RECEIPT.RESOURCE_ID, reservation.resource().value())
            .set(RECEIPT.FINGERPRINT_SCHEME, reservation.fingerprint().scheme())
            .set(RECEIPT.FINGERPRINT_SHA256, reservation.fingerprint().digest().bytes())
            .set(RECEIPT.GENERATION, reservation.generation().value())
            .set(RECEIPT.EPOCH, completed.epoch().value())
            .set(RECEIPT.RESPONSE_SHA256, evidence.response().digest().bytes())
            .set(RECEIPT.UPSTREAM_STATUS, evidence.response().status())
            .set(RECEIPT.EFFECT_ID, evidence.response().effect().value())
            .set(RECEIPT.SOURCE, source)
            .set(RECEIPT.ADOPTED_RECEIPT, adopted)
            .set(RECEIPT.COMMITTED_AT, completed.judgedAt())
            .set(RECEIPT.MARGIN_LEFT_MS, margin.toMillis())
            .set(RECEIPT.FSYNC, current("fsync"))
            .set(RECEIPT.FULL_PAGE_WRITES, current("full_page_writes"))
            .set(RECEIPT.SYNCHRONOUS_COMMIT, current("synchronous_commit"))
            .set(RECEIPT.TIMELINE, completed.receiptTimeline())
            .execute();
    if (rows != 1) {
      throw new IllegalStateException("one receipt was written " + rows + " times");
    }
    return new Receipt(
        completed.completion(systemId),
        reservation.resource(),
        completed.token(),
        completed.claimId(),
        evidence.response().digest(),
        completed.judgedAt(),
        margin.truncatedTo(ChronoUnit.MILLIS));
  }
}
