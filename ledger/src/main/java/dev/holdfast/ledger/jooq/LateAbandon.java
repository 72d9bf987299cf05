package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
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
    Changes changes = new Changes(row).closeAttempt();
    return OperationUpdate.apply(transaction, changes)
        .map(
            after -> {
              record(transaction, row, lease);
              return AbandonOutcome.ABANDONED;
            });
  }

  private static void record(DSLContext transaction, OperationRow row, UndispatchedLease lease) {
    Reservation reservation = lease.reservation();
    RequestFingerprint fingerprint = reservation.fingerprint();
    boolean holder = row.token().equals(lease.token()) && row.claimId().equals(lease.claimId());
    int rows =
        transaction
            .insertInto(OBSERVATION)
            .set(OBSERVATION.SCOPE, reservation.scope().value())
            .set(OBSERVATION.OPERATION_ID, reservation.operation().text())
            .set(OBSERVATION.OBSERVER, holder ? "holder" : "preempted")
            .set(OBSERVATION.CLAIM_ID, lease.claimId().value())
            .set(OBSERVATION.FENCING_TOKEN, lease.token().value())
            .set(OBSERVATION.KIND, "not_dispatched")
            .set(OBSERVATION.DISPOSITION, "closed")
            .set(OBSERVATION.CLOSES_ATTEMPT, true)
            .set(OBSERVATION.FINGERPRINT_SCHEME, fingerprint.scheme())
            .set(OBSERVATION.FINGERPRINT_SHA256, fingerprint.digest().bytes())
            .set(OBSERVATION.GENERATION, reservation.generation().value())
            .set(OBSERVATION.EPOCH, lease.epoch().value())
            .set(OBSERVATION.OBSERVED_AT, row.judgedAt())
            .execute();
    if (rows != 1) {
      throw new IllegalStateException("one observation was written " + rows + " times");
    }
  }
}
