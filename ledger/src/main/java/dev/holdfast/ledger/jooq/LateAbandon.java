package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Closes the attempt of a lease that is no longer the operation's: a newer claim has its place, or
 * it was demoted. Which attempts are closed is asked behind the row's lock, in a statement of its
 * own: the locking one sees the histories as they were before it waited.
 */
final class LateAbandon {
  private final LedgerTransaction transactions;
  private final OperationLock lock;

  LateAbandon(LedgerTransaction transactions, PostgresClock clock) {
    this.transactions = transactions;
    this.lock = new OperationLock(clock);
  }

  /** Empty where rivals kept moving the row. */
  Optional<AbandonOutcome> close(UndispatchedLease lease) {
    return transactions.commit(lease.expiry().rest(), open -> close(open.dsl(), lease));
  }

  private Optional<AbandonOutcome> close(DSLContext transaction, UndispatchedLease lease) {
    return lock.lock(transaction, lease.reservation())
        .map(LockedOperation::row)
        .filter(row -> isOpen(transaction, row, lease))
        .map(row -> close(transaction, row, lease))
        .orElse(Optional.of(AbandonOutcome.ALREADY_CLOSED));
  }

  private static boolean isOpen(DSLContext transaction, OperationRow row, UndispatchedLease lease) {
    AttemptRows attempts = new AttemptRows(transaction, row);
    return row.epoch().equals(lease.epoch())
        && attempts.isKnown(lease.claimId())
        && !attempts.isClosed(lease.claimId());
  }

  private static Optional<AbandonOutcome> close(
      DSLContext transaction, OperationRow row, UndispatchedLease lease) {
    // before it is done: a guard of the schema looks for it
    ClosingObservation.notDispatched(transaction, row, lease, null);
    return OperationUpdate.apply(transaction, new Changes(row).closeAttempt())
        .map(after -> AbandonOutcome.ABANDONED);
  }
}
