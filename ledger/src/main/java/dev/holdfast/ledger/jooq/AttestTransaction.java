package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.CurrentOperation;
import dev.holdfast.ledger.settlement.ObserverStanding;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettledEffect;
import dev.holdfast.ledger.settlement.Settlement;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.settlement.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a success that nobody's claim reports: locks, lets the rules judge it as they judge every
 * observation, and stores it. It never completes anything: that takes the highest token, which only
 * a claim or a pick-up has. Safe for use by many threads.
 */
final class AttestTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(AttestTransaction.class);

  private final LedgerTransaction transactions;
  private final OperationLock lock;
  private final Reading reading;
  private final String systemId;

  AttestTransaction(
      LedgerTransaction transactions, PostgresClock clock, Reading reading, String systemId) {
    this.transactions = transactions;
    this.lock = new OperationLock(clock);
    this.reading = reading;
    this.systemId = systemId;
  }

  AttestOutcome attest(AttestedSuccess success) {
    Tuple tuple = success.tuple();
    Optional<Reservation> reserved =
        reading.read(tuple.scope(), tuple.operation()).map(OperationView::reservation);
    if (reserved.isEmpty()) {
      LOG.warn("{} was attested, and nobody claimed it", tuple.operation());
      return new AttestOutcome.Absent();
    }
    // under no lease: nothing but the network's own time-out bounds it
    return transactions
        .again()
        .unleased(
            () ->
                transactions
                    .commit(Duration.ZERO, open -> attest(open, reserved.get(), success))
                    .orElseGet(AttestOutcome.Contended::new));
  }

  /** A rebind in between may have moved it to a resource that is not locked: once more. */
  private Optional<AttestOutcome> attest(
      OpenTransaction open, Reservation reserved, AttestedSuccess success) {
    return lock.lock(open.dsl(), reserved)
        .filter(operation -> operation.row().reservation().resource().equals(reserved.resource()))
        .flatMap(operation -> judged(open, operation, success));
  }

  private Optional<AttestOutcome> judged(
      OpenTransaction open, LockedOperation operation, AttestedSuccess success) {
    DSLContext transaction = open.dsl();
    OperationRow row = operation.row();
    SuccessEvidence evidence =
        new SuccessEvidence(success.tuple(), null, success.response(), success.result());
    Verdict verdict =
        Settlement.settle(
            current(transaction, operation), evidence.observation(), success.policy());
    if (StoredReports.isDelivered(transaction, evidence, verdict)) {
      return Optional.of(answer(transaction, row, verdict));
    }
    Optional<OperationRow> after = changed(transaction, row, verdict);
    after.ifPresent(
        changed -> {
          record(open, row, evidence, verdict);
          Dependents.tell(open, row, changed.state());
        });
    return after.map(changed -> answer(transaction, changed, verdict));
  }

  private static CurrentOperation current(DSLContext transaction, LockedOperation operation) {
    OperationRow row = operation.row();
    AttemptRows attempts = new AttemptRows(transaction, row);
    return new CurrentOperation(
        row.state(),
        row.tuple(),
        operation.standing(LeaseMargin.STANDARD),
        ObserverStanding.NONE,
        attempts.isOtherOpen(),
        row.state() == OperationState.COMPLETED
            ? new SettledEffect(row.effect(), attempts.settled())
            : null);
  }

  /** The row afterwards; empty where the compare-and-set missed. */
  private static Optional<OperationRow> changed(
      DSLContext transaction, OperationRow row, Verdict verdict) {
    Changes changes = new Changes(row);
    return switch (verdict) {
      case Verdict.Pending stored -> OperationUpdate.apply(transaction, changes.addPending());
      case Verdict.Conflicted two -> OperationUpdate.apply(transaction, changes.conflict());
      case Verdict.Recorded seen -> Optional.of(row);
      case Verdict.Quarantined other -> Optional.of(row);
      case Verdict.Receipt never -> throw ofNobody(never);
      case Verdict.Failure never -> throw ofNobody(never);
      case Verdict.Closed never -> throw ofNobody(never);
      case Verdict.Demoted never -> throw ofNobody(never);
      case Verdict.RenewFirst never -> throw ofNobody(never);
    };
  }

  private AttestOutcome answer(DSLContext transaction, OperationRow row, Verdict verdict) {
    if (verdict instanceof Verdict.Quarantined) {
      return new AttestOutcome.Quarantined();
    }
    return switch (row.state()) {
      case UNKNOWN, IN_PROGRESS -> new AttestOutcome.Pending();
      case COMPLETED, FAILED, CONFLICT ->
          new AttestOutcome.Settled(new OperationViews(transaction, systemId).of(row));
    };
  }

  private static IllegalStateException ofNobody(Verdict never) {
    return new IllegalStateException("nobody's success cannot be " + never.disposition());
  }

  private static void record(
      OpenTransaction open, OperationRow row, SuccessEvidence evidence, Verdict verdict) {
    ObservationInsert.delivered(open.dsl(), row, evidence, verdict);
    if (verdict instanceof Verdict.Quarantined) {
      open.warn(QuarantineRows.warn(open.dsl(), evidence.tuple(), row.judgedAt()).orElse(null));
    }
  }
}
