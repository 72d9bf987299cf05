package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.Receipt;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Looks for the receipt of a commit whose answer was lost. Under the row's lock: a commit that is
 * still under way holds it, and is waited for. What is found is confirmed by a commit of its own.
 */
final class CommitReadback {
  private final LedgerTransaction transaction;
  private final OperationLock lock;
  private final PostgresClock clock;

  CommitReadback(LedgerTransaction transaction, OperationLock lock, PostgresClock clock) {
    this.transaction = transaction;
    this.lock = lock;
    this.clock = clock;
  }

  /**
   * Whether the very receipt stands there. Not found says nothing of the future.
   *
   * @throws LedgerAnswerLostException the one given, when nothing can be read either
   */
  boolean finds(Lease lease, Receipt receipt, LedgerAnswerLostException lost) {
    try {
      return transaction
          .commit(lease.expiry().rest(), open -> Optional.of(confirm(open.dsl(), lease, receipt)))
          .orElse(false);
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      lost.addSuppressed(e);
      throw lost;
    }
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
