package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.SettleStatement.Committed;
import dev.holdfast.ledger.jooq.SettleStatement.Judged;
import dev.holdfast.ledger.settlement.GenerationRule;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles by the one statement where everything is as the claim left it, and by {@link
 * SettlementTransaction} where anything moved. Safe for use by many threads.
 */
final class Settling {
  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final String systemId;
  private final SettlementTransaction slowPath;
  private final CommitReadback readback;
  private final Again again;
  private final SettleStatement own;
  private final SettleStatement shared;

  Settling(
      LedgerConnection connection,
      LedgerSql sql,
      LedgerOptions options,
      String systemId,
      SettlementTransaction slowPath,
      CommitReadback readback) {
    this.connection = connection;
    this.options = options;
    this.systemId = systemId;
    this.slowPath = slowPath;
    this.readback = readback;
    this.again = new Again(options);
    this.own = new SettleStatement(sql, options.commitLevel(), LeaseRows.OWN);
    this.shared = new SettleStatement(sql, options.commitLevel(), LeaseRows.SHARED);
  }

  SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result) {
    long sent = System.nanoTime();
    try {
      return own(lease, response, lease.claimId(), once(lease, response, result, sent), sent);
    } catch (LedgerAnswerLostException lost) {
      return again.after(
          lost,
          lease.expiry(),
          () ->
              found(lease, response, lease.claimId(), sent)
                  .orElseGet(() -> again(lease, response, result, sent)));
    }
  }

  /**
   * Not found, it is settled once more: by the slow path, which looks behind the lock. A ghost of
   * the first request and this one cannot both win.
   */
  private SettleOutcome again(
      Lease lease, VerifiedResponse response, StoredResult result, long sent) {
    return own(lease, response, lease.claimId(), slowPath.settle(lease, response, result), sent);
  }

  /**
   * Settles what a lease that only asked has found, of another attempt or of nobody knows which. A
   * permit that is read back counts from the first sending.
   */
  SettleOutcome settleFound(
      Lease lease, VerifiedResponse response, StoredResult result, @Nullable OpenAttempt found) {
    long sent = System.nanoTime();
    Report report = Report.found(lease, response, result, found);
    return again.idempotent(
        lease.expiry(),
        () -> own(lease, response, report.attempt(), slowPath.settle(report), sent));
  }

  /** Settled already, by this very claim: then its receipt is the answer. */
  private SettleOutcome own(
      Lease lease, VerifiedResponse response, ClaimId attempt, SettleOutcome outcome, long sent) {
    boolean mayBeOwn =
        outcome instanceof SettleOutcome.AlreadySettled(OperationView settled)
            && settled.state() == OperationState.COMPLETED
            && settled.token().equals(lease.token())
            && attempt.equals(settled.receiptClaim());
    if (!mayBeOwn) {
      return outcome;
    }
    try {
      return found(lease, response, attempt, sent).orElse(outcome);
    } catch (LedgerUnavailableException e) {
      LOG.debug("a receipt could not be confirmed: {}", e.getMessage());
      return outcome;
    }
  }

  private Optional<SettleOutcome> found(
      Lease lease, VerifiedResponse response, ClaimId attempt, long sent) {
    return readback
        .find(lease, response, attempt)
        .map(receipt -> new SettleOutcome.Committed(receipt, Mint.readBack(lease, receipt, sent)));
  }

  private SettleOutcome once(
      Lease lease, VerifiedResponse response, StoredResult result, long sent) {
    Optional<Judged> judged =
        isMatchedByReservation(lease, response) ? ask(lease, response, result) : Optional.empty();
    if (judged.isEmpty()) {
      return slowPath.settle(lease, response, result);
    }
    Duration left = judged.get().leaseLeft();
    Committed committed = judged.get().committed();
    if (committed != null) {
      Receipt receipt = receipt(lease, response, committed, left);
      return new SettleOutcome.Committed(receipt, Mint.permitOf(lease, receipt, sent));
    }
    return left.isPositive()
        ? new SettleOutcome.MarginTooThin(left)
        : slowPath.settle(lease, response, result);
  }

  /** All that the one statement compares; another generation is looked at behind the lock. */
  private static boolean isMatchedByReservation(Lease lease, VerifiedResponse response) {
    return response.signedGeneration() == null
        && lease.policy().generation() instanceof GenerationRule.OfReservation;
  }

  private Optional<Judged> ask(Lease lease, VerifiedResponse response, StoredResult result) {
    Duration patience = options.patience(lease.expiry().rest());
    SettleStatement statement = lease.reservation().resource().isShared() ? shared : own;
    return connection.autocommit(
        patience,
        borrowed ->
            statement.execute(
                borrowed, lease, response, result, StatementSettings.bindings(patience)));
  }

  private Receipt receipt(
      Lease lease, VerifiedResponse response, Committed committed, Duration left) {
    Reservation reservation = lease.reservation();
    Completion completion =
        new Completion(
            reservation.scope(),
            reservation.operation(),
            reservation.fingerprint(),
            reservation.generation(),
            lease.epoch(),
            response.effect(),
            new ReceiptNumber(committed.number()),
            new LedgerPosition(systemId, committed.timeline()));
    return new Receipt(
        completion,
        reservation.resource(),
        lease.token(),
        lease.claimId(),
        response.digest(),
        committed.at(),
        left.truncatedTo(ChronoUnit.MILLIS));
  }
}
