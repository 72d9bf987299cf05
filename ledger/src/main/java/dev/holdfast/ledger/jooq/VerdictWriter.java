package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Carries a verdict out, in the transaction that has locked the operation. */
final class VerdictWriter {
  private final PostgresClock clock;
  private final String systemId;

  VerdictWriter(PostgresClock clock, String systemId) {
    this.clock = clock;
    this.systemId = systemId;
  }

  /** What stands afterwards. */
  record Written(OperationRow row, @Nullable Receipt receipt, @Nullable QuarantineWarning warning) {
    Written(OperationRow row, @Nullable Receipt receipt) {
      this(row, receipt, null);
    }
  }

  /** Empty where the compare-and-set missed. */
  Optional<Written> write(DSLContext transaction, Judged judged) {
    Optional<Written> done = carryOut(transaction, judged);
    if (done.isPresent()) {
      keepAsSigned(transaction, judged);
    }
    return done;
  }

  /** Evidence that was matched by the live generation is kept as it came, too; once. */
  private static void keepAsSigned(DSLContext transaction, Judged judged) {
    Report signed =
        judged.verdict() instanceof Verdict.RenewFirst ? null : judged.report().asSigned();
    if (signed == null || new StoredReports(transaction, signed).hasAs("recorded")) {
      return;
    }
    ObservationInsert.insert(transaction, judged.beside(signed));
  }

  private Optional<Written> carryOut(DSLContext transaction, Judged judged) {
    Changes changes = new Changes(judged.row());
    return switch (judged.verdict()) {
      case Verdict.RenewFirst thin -> Optional.of(new Written(judged.row(), null));
      case Verdict.Receipt made -> complete(transaction, judged, changes);
      case Verdict.Failure made ->
          change(transaction, judged, changes.fail(failure(judged.report())).releaseLease());
      case Verdict.Pending made -> once(transaction, judged, changes.addPending());
      case Verdict.Closed made when judged.endsWork() ->
          change(transaction, judged, changes.becomeUnknown().releaseLease());
      case Verdict.Closed made -> once(transaction, judged, changes);
      case Verdict.Demoted made ->
          change(transaction, judged, demote(judged, changes.becomeUnknown().endLease()));
      case Verdict.Quarantined made -> quarantine(transaction, judged, changes);
      case Verdict.Conflicted made when judged.endsWork() ->
          change(transaction, judged, changes.conflict().endLease());
      case Verdict.Conflicted made when new StoredReports(transaction, judged.report()).has() ->
          known(transaction, judged);
      case Verdict.Conflicted made -> change(transaction, judged, changes.conflict());
      case Verdict.Recorded made -> once(transaction, judged, changes);
    };
  }

  /** Where nobody but a person can tell, one attempt is enough: no other need come to park it. */
  private static Changes demote(Judged judged, Changes changes) {
    return judged.leavesItToAPerson() ? changes.park(ParkReason.OPEN_ATTEMPT) : changes;
  }

  private Optional<Written> complete(DSLContext transaction, Judged judged, Changes changes) {
    SuccessEvidence evidence = Objects.requireNonNull(judged.completedBy(), "evidence");
    changes.complete(evidence, clock.timeline());
    Judged recorded = judged.pickedUp(new Verdict.Recorded(judged.verdict().nextState()), evidence);
    if (judged.isCompletedByReport()) {
      Optional<OperationRow> completed = apply(transaction, judged, changes);
      if (completed.isPresent() && judged.report().isFound()) {
        ObservationInsert.insert(transaction, recorded);
      }
      return completed.map(
          row -> withReceipt(transaction, row, evidence, judged.operation().rest()));
    }
    return change(transaction, recorded, changes.releaseLease())
        .map(done -> withReceipt(transaction, done.row(), evidence, judged.operation().rest()));
  }

  /** Writes the receipt of a row that was just completed. */
  Written withReceipt(
      DSLContext transaction, OperationRow row, SuccessEvidence evidence, Duration margin) {
    return new Written(row, ReceiptInsert.insert(transaction, row, evidence, margin, systemId));
  }

  /** For what moves no state: sent again, it counts once. */
  private Optional<Written> once(DSLContext transaction, Judged judged, Changes changes) {
    return isStored(transaction, judged)
        ? known(transaction, judged)
        : change(transaction, judged, changes);
  }

  private Optional<Written> quarantine(DSLContext transaction, Judged judged, Changes changes) {
    if (isStored(transaction, judged)) {
      return known(transaction, judged);
    }
    return change(transaction, judged, changes)
        .map(
            done ->
                new Written(
                    done.row(),
                    null,
                    QuarantineRows.warn(
                            transaction,
                            judged.report().observation().tuple(),
                            judged.row().judgedAt())
                        .orElse(null)));
  }

  /**
   * It is no news; but who found it has dispatched nothing, whoever stored it first. Nothing may be
   * written here, but the operation was locked: the commit waits for the standby as any other.
   */
  private static Optional<Written> known(DSLContext transaction, Judged judged) {
    if (!judged.report().isFound() || !judged.closesOwn()) {
      return Optional.of(new Written(judged.row(), null));
    }
    closeAsker(transaction, judged);
    return OperationUpdate.apply(transaction, new Changes(judged.row()).closeAttempt())
        .map(row -> new Written(row, null));
  }

  private Optional<Written> change(DSLContext transaction, Judged judged, Changes changes) {
    // before it is done: a guard of the schema looks for what closes an attempt
    if (!isStored(transaction, judged)) {
      ObservationInsert.insert(transaction, judged);
      closeAsker(transaction, judged);
    }
    return apply(transaction, judged, changes).map(row -> new Written(row, null));
  }

  /** Who reports of another attempt has dispatched nothing. */
  private static void closeAsker(DSLContext transaction, Judged judged) {
    if (judged.report().isFound() && judged.closesOwn()) {
      ClosingObservation.notDispatched(transaction, judged.row(), judged.report().lease(), null);
    }
  }

  private static Optional<OperationRow> apply(
      DSLContext transaction, Judged judged, Changes changes) {
    if (judged.closesOwn()) {
      changes.closeAttempt();
    }
    if (judged.closesFound()) {
      changes.closeAttempt();
    }
    if (changes.isEmpty()) {
      return Optional.of(judged.row());
    }
    Optional<OperationRow> after = OperationUpdate.apply(transaction, changes);
    if (changes.endsLease()) {
      after.ifPresent(row -> ResourceUpdate.follow(transaction, judged.row(), row));
    }
    return after;
  }

  private static boolean isStored(DSLContext transaction, Judged judged) {
    StoredReports stored = new StoredReports(transaction, judged.report());
    return judged.verdict() instanceof Verdict.Recorded
        ? stored.has()
        : stored.hasAs(judged.verdict().disposition());
  }

  private static SettledFailure failure(Report report) {
    return new SettledFailure(
        Objects.requireNonNull(report.reason(), "code"),
        Objects.requireNonNull(report.status(), "status"));
  }
}
