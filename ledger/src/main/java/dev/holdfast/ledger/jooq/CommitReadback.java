package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Looks for the receipt of a commit whose answer was lost. Under the row's lock: a commit that is
 * still under way holds it, and is waited for. What is found is confirmed by a commit of its own.
 */
final class CommitReadback {
  private final LedgerTransaction transaction;
  private final OperationLock lock;
  private final PostgresClock clock;
  private final String systemId;

  CommitReadback(LedgerTransaction transaction, PostgresClock clock, String systemId) {
    this.transaction = transaction;
    this.lock = new OperationLock(clock);
    this.clock = clock;
    this.systemId = systemId;
  }

  /** Whether the very receipt stands there. Not found says nothing of the future. */
  boolean finds(Lease lease, Receipt receipt) {
    return transaction
        .commit(lease.expiry().rest(), open -> Optional.of(confirm(open.dsl(), lease, receipt)))
        .orElse(false);
  }

  private boolean confirm(DSLContext dsl, Lease lease, Receipt receipt) {
    return lock.lock(dsl, lease.reservation())
        .filter(operation -> isOf(operation.row(), receipt))
        .map(operation -> write(dsl, receipt))
        .orElse(false);
  }

  private static boolean isOf(OperationRow row, Receipt receipt) {
    return row.hasReceipt()
        && row.claimId().equals(receipt.claimId())
        && row.receiptNumber() == receipt.completion().receipt().value();
  }

  /**
   * The receipt that the operation stands completed by, where this very claim committed it of this
   * very response. Empty says nothing of the future.
   *
   * @param attempt whose effect it is
   */
  Optional<Receipt> find(Lease lease, VerifiedResponse response, ClaimId attempt) {
    return transaction
        .commit(
            lease.expiry().rest(),
            open -> Optional.of(confirmed(open.dsl(), lease, response, attempt)))
        .flatMap(Function.identity());
  }

  private Optional<Receipt> confirmed(
      DSLContext dsl, Lease lease, VerifiedResponse response, ClaimId attempt) {
    return lock.lock(dsl, lease.reservation())
        .filter(operation -> operation.isHeldBy(lease))
        .map(LockedOperation::row)
        .filter(row -> row.state() == OperationState.COMPLETED)
        .flatMap(row -> receipt(dsl, row, response, attempt))
        .filter(receipt -> write(dsl, receipt));
  }

  private Optional<Receipt> receipt(
      DSLContext dsl, OperationRow row, VerifiedResponse response, ClaimId attempt) {
    Reservation reservation = row.reservation();
    return dsl.select(RECEIPT.COMMITTED_AT, RECEIPT.MARGIN_LEFT_MS)
        .from(RECEIPT)
        .where(RECEIPT.SCOPE.eq(reservation.scope().value()))
        .and(RECEIPT.OPERATION_ID.eq(reservation.operation().text()))
        .and(RECEIPT.FENCING_TOKEN.eq(row.token().value()))
        .and(RECEIPT.CLAIM_ID.eq(row.claimId().value()))
        .and(RECEIPT.RECEIPT_NUMBER.eq(row.receiptNumber()))
        .and(OperationViews.EVIDENCE_OF.eq(attempt.value()))
        .and(RECEIPT.RESPONSE_SHA256.eq(response.digest().bytes()))
        .and(RECEIPT.EFFECT_ID.eq(response.effect().value()))
        .fetchOptional(
            written ->
                new Receipt(
                    row.completion(systemId),
                    reservation.resource(),
                    row.token(),
                    row.claimId(),
                    response.digest(),
                    written.value1(),
                    Duration.ofMillis(written.value2())));
  }

  private boolean write(DSLContext dsl, Receipt receipt) {
    int rows =
        dsl.update(OPERATION)
            .set(OPERATION.DURABLE_CONFIRMED_AT, clock.now())
            .where(OPERATION.SCOPE.eq(receipt.completion().scope().value()))
            .and(OPERATION.OPERATION_ID.eq(receipt.completion().operation().text()))
            .and(OPERATION.RECEIPT_NUMBER.eq(receipt.completion().receipt().value()))
            .execute();
    if (rows > 1) {
      throw new IllegalStateException("one receipt was confirmed " + rows + " times");
    }
    return rows == 1;
  }
}
