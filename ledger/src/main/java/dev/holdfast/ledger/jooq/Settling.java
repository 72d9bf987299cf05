package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.SettleStatement.Committed;
import dev.holdfast.ledger.jooq.SettleStatement.Judged;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Settles by the one statement where everything is as the claim left it, and by {@link
 * SettlementTransaction} where anything moved. Safe for use by many threads.
 */
final class Settling {
  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final String systemId;
  private final SettlementTransaction slowPath;
  private final SettleStatement own;
  private final SettleStatement shared;

  Settling(
      LedgerConnection connection,
      LedgerSql sql,
      LedgerOptions options,
      String systemId,
      SettlementTransaction slowPath) {
    this.connection = connection;
    this.options = options;
    this.systemId = systemId;
    this.slowPath = slowPath;
    this.own = new SettleStatement(sql, options.commitLevel(), LeaseRows.OWN);
    this.shared = new SettleStatement(sql, options.commitLevel(), LeaseRows.SHARED);
  }

  SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result) {
    long sent = System.nanoTime();
    Optional<Judged> judged = ask(lease, response, result);
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
