package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.settlement.ObserverStanding;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A report and what the rules say of it, decided under the operation's lock.
 *
 * @param observer how the reporter stands to the operation
 * @param ownOpen whether the reporter's own attempt was open before
 * @param foundOpen whether another attempt that it reports about was
 * @param completedBy what a receipt is to be written of; null where none is. Stored evidence of
 *     another attempt, or the report's own
 */
record Judged(
    LockedOperation operation,
    Report report,
    ObserverStanding observer,
    boolean ownOpen,
    boolean foundOpen,
    Verdict verdict,
    @Nullable SuccessEvidence completedBy) {

  OperationRow row() {
    return operation.row();
  }

  boolean isReceipt() {
    return verdict instanceof Verdict.Receipt;
  }

  /** Whether the report's own success becomes the receipt. */
  boolean isCompletedByReport() {
    return completedBy != null && completedBy.equals(report.success());
  }

  /** Whether the state leaves {@code in_progress}, and the lease with it. */
  boolean endsWork() {
    return row().state() == OperationState.IN_PROGRESS
        && verdict.nextState() != OperationState.IN_PROGRESS;
  }

  /** Whether it closes the reporter's own attempt now. */
  boolean closesOwn() {
    return ownOpen && knowsFate();
  }

  /** Whether it closes another attempt, which it found, now. */
  boolean closesFound() {
    return foundOpen && knowsFate();
  }

  /** Whether it closes the attempt that it is about now. */
  boolean closesReported() {
    return report.isFound() ? closesFound() : closesOwn();
  }

  /** Whether what stays open is beyond everybody but a person, and no witness waits. */
  boolean leavesItToAPerson() {
    return report.givesUp()
        && report.lease().rule() instanceof OpenAttemptRule.ParkWhileOpen
        && row().openAttempts() > 0
        && row().pendingEvidence() == 0;
  }

  private boolean knowsFate() {
    return switch (verdict) {
      case Verdict.Receipt made -> true;
      case Verdict.Failure made -> true;
      case Verdict.Pending made -> true;
      case Verdict.Closed made -> true;
      case Verdict.Conflicted made -> report.isDefinite();
      case Verdict.Recorded made -> report.isDefinite();
      case Verdict.Demoted made -> false;
      case Verdict.Quarantined made -> false;
      case Verdict.RenewFirst made -> false;
    };
  }

  Judged pickedUp(Verdict other, @Nullable SuccessEvidence evidence) {
    return new Judged(operation, report, observer, ownOpen, foundOpen, other, evidence);
  }

  /** What is kept beside it and changes nothing. */
  Judged beside(Report other) {
    Verdict recorded = new Verdict.Recorded(verdict.nextState());
    return new Judged(operation, other, observer, false, false, recorded, null);
  }
}
