package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.settlement.CurrentOperation;
import dev.holdfast.ledger.settlement.LeaseStanding;
import dev.holdfast.ledger.settlement.Observation;
import dev.holdfast.ledger.settlement.ObserverStanding;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.PendingEvidence;
import dev.holdfast.ledger.settlement.PickUp;
import dev.holdfast.ledger.settlement.SettledEffect;
import dev.holdfast.ledger.settlement.Settlement;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.settlement.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks the operation of a report, loads what the rules ask for and lets them decide. Writes
 * nothing.
 */
final class ReportJudge {
  private static final Logger LOG = LoggerFactory.getLogger(ReportJudge.class);

  private final OperationLock lock;

  ReportJudge(OperationLock lock) {
    this.lock = lock;
  }

  /** Empty where the ledger does not know the reporter's claim (any more). */
  Optional<Judged> judge(DSLContext transaction, Report report) {
    return judgeAlone(transaction, report)
        .map(own -> own.row().pendingEvidence() == 0 ? own : withPending(transaction, own));
  }

  /** The same, without a look at what others have stored. */
  Optional<Judged> judgeAlone(DSLContext transaction, Report report) {
    Optional<LockedOperation> operation =
        lock.lock(transaction, report.lease().reservation())
            .filter(locked -> isKnown(transaction, locked, report));
    if (operation.isEmpty()) {
      logVanished(report);
    }
    return operation.map(locked -> settle(transaction, locked, report));
  }

  private static boolean isKnown(DSLContext transaction, LockedOperation operation, Report report) {
    return new AttemptRows(transaction, operation.row()).isKnown(report.lease().claimId());
  }

  /** Never attached to a newer operation of the same id: what it was about is gone. */
  private static void logVanished(Report report) {
    LOG.warn(
        "{} reported {} by a claim that the ledger does not know, token {}",
        report.lease().reservation().operation(),
        report.observation().word(),
        report.lease().token());
  }

  /** A success that carries the generation its policy asks for is one of the reservation. */
  private static Judged settle(DSLContext transaction, LockedOperation operation, Report told) {
    OperationRow row = operation.row();
    if (!(told.observation() instanceof Observation.Succeeded)) {
      return settle(transaction, operation, told, row.tuple());
    }
    Generation required = RequiredGeneration.of(transaction, row, told.lease().policy());
    return told.observation().tuple().generation().equals(required)
        ? settle(transaction, operation, told.in(row.reservation().generation()), row.tuple())
        : settle(transaction, operation, told, row.tuple().in(required));
  }

  private static Judged settle(
      DSLContext transaction, LockedOperation operation, Report report, Tuple required) {
    Lease lease = report.lease();
    AttemptRows attempts = new AttemptRows(transaction, operation.row());
    ObserverStanding observer =
        operation.isHeldBy(lease) ? ObserverStanding.HOLDER : ObserverStanding.PREEMPTED;
    CurrentOperation current =
        new CurrentOperation(
            operation.row().state(),
            required,
            standing(operation, report, observer),
            observer,
            attempts.isOtherOpen(),
            settled(transaction, operation.row(), report),
            denied(transaction, operation.row(), report));
    return new Judged(
        operation,
        report,
        observer,
        !attempts.isClosed(lease.claimId()),
        report.isFound() && !attempts.isClosed(report.attempt()),
        Settlement.settle(current, report.observation(), lease.policy()),
        report.success());
  }

  /** A holder that can learn no more ends its own lease: nobody need wait it out. */
  private static LeaseStanding standing(
      LockedOperation operation, Report report, ObserverStanding observer) {
    LeaseStanding judged = operation.standing(report.lease().margin());
    boolean givenUp = report.givesUp() && observer == ObserverStanding.HOLDER;
    return givenUp && judged != LeaseStanding.NONE ? LeaseStanding.OVER : judged;
  }

  /** With the reporter among the witnesses, if it is one: nobody else matters to its report. */
  private static @Nullable SettledEffect settled(
      DSLContext transaction, OperationRow row, Report report) {
    if (row.state() != OperationState.COMPLETED) {
      return null;
    }
    Set<ClaimId> attempts = new HashSet<>();
    attempts.add(new AttemptRows(transaction, row).settled());
    if (report.observation() instanceof Observation.Failed failed) {
      attempts.addAll(new DefiniteRows(transaction, row).witnesses(named(failed.attempt())));
    }
    return new SettledEffect(row.effect(), attempts);
  }

  private static Set<ClaimId> denied(DSLContext transaction, OperationRow row, Report report) {
    return report.observation() instanceof Observation.Succeeded success
        ? new DefiniteRows(transaction, row).denied(named(success.attempt()))
        : Set.of();
  }

  private static Set<ClaimId> named(@Nullable ClaimId attempt) {
    return attempt == null ? Set.of() : Set.of(attempt);
  }

  private static Judged withPending(DSLContext transaction, Judged own) {
    return switch (own.verdict()) {
      case Verdict.Receipt made -> pickUp(transaction, own);
      case Verdict.Failure made -> pickUp(transaction, own);
      case Verdict.Pending made -> own;
      case Verdict.Closed made -> own;
      case Verdict.Demoted made -> own;
      case Verdict.Quarantined made -> own;
      case Verdict.Conflicted made -> own;
      case Verdict.Recorded made -> own;
      case Verdict.RenewFirst made -> own;
    };
  }

  private static Judged pickUp(DSLContext transaction, Judged own) {
    List<SuccessEvidence> stored = PendingRows.load(transaction, own.row());
    Set<ClaimId> attempts = new HashSet<>(EvidencePickUp.attempts(stored));
    attempts.add(own.report().attempt());
    PickUp<SuccessEvidence> found =
        PendingEvidence.pickUp(
            own.row().tuple(),
            stored,
            (Observation.Definite) own.report().observation(),
            new DefiniteRows(transaction, own.row()).denied(attempts),
            own.report().lease().policy());
    return switch (found) {
      case PickUp.Nothing<SuccessEvidence> nothing -> own;
      case PickUp.Completes<SuccessEvidence>(SuccessEvidence first) ->
          own.pickedUp(new Verdict.Receipt(), preferred(own.report().success(), first));
      case PickUp.Conflicts<SuccessEvidence> two -> own.pickedUp(new Verdict.Conflicted(), null);
    };
  }

  /** Of one effect the holder's own report: its caller returns the result that is stored. */
  private static SuccessEvidence preferred(@Nullable SuccessEvidence own, SuccessEvidence first) {
    return own != null && own.isOfSameEffect(first) ? own : first;
  }
}
