package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose holder has asked the upstream, locked, with the other attempts that are open.
 * Each finding changes it once; empty where the compare-and-set missed.
 */
record Asked(
    OpenTransaction open,
    LockedOperation operation,
    ReconcilingLease lease,
    List<OpenAttempt> others) {
  static Asked load(OpenTransaction open, LockedOperation operation, ReconcilingLease lease) {
    OperationRow row = operation.row();
    return new Asked(open, operation, lease, new AttemptRows(open.dsl(), row).open());
  }

  private DSLContext transaction() {
    return open.dsl();
  }

  Optional<Supplier<ReconcileOutcome>> didNotHappen(Finality finality) {
    if (!holds()) {
      return over(ParkReason.NOT_FINAL, () -> new ReconcileOutcome.NotFinalYet(untilFinal()));
    }
    if (isWitnessed()) {
      return giveBack(null, ReconcileOutcome.ClaimAgain::new);
    }
    if (new AttemptRows(transaction(), row()).isAnySetAside(others)) {
      return park(ParkReason.OTHER_GENERATION);
    }
    if (isFinal(finality)) {
      return mayDispatch();
    }
    return finality == Finality.NONE
        ? park(ParkReason.NOT_FINAL)
        : giveBack(ParkReason.NOT_FINAL, () -> new ReconcileOutcome.NotFinalYet(untilFinal()));
  }

  Optional<Supplier<ReconcileOutcome>> onlyAPersonCanTell(String reason) {
    if (!holds()) {
      return over(reason, ReconcileOutcome.GivenBack::new);
    }
    return others.isEmpty() ? notKnownYet(reason) : park(reason);
  }

  /** The next attempt asks again. */
  Optional<Supplier<ReconcileOutcome>> notKnownYet(String reason) {
    if (!holds()) {
      return over(reason, ReconcileOutcome.GivenBack::new);
    }
    return isWitnessed()
        ? giveBack(reason, ReconcileOutcome.ClaimAgain::new)
        : giveBack(reason, ReconcileOutcome.GivenBack::new);
  }

  private OperationRow row() {
    return operation.row();
  }

  private boolean holds() {
    return operation.isHeldBy(lease) && operation.isHeld();
  }

  /**
   * A success was stored meanwhile: nobody may dispatch beside it, and the next claim settles it.
   */
  private boolean isWitnessed() {
    return row().pendingEvidence() > 0;
  }

  /**
   * Whether nothing older can still have an effect. Horizons are compared with the instant of this
   * claim: the question was asked after it, and what landed after the question was not seen.
   */
  private boolean isFinal(Finality finality) {
    return others.isEmpty()
        || switch (finality) {
          case FENCED -> true;
          case HORIZON ->
              others.stream().noneMatch(other -> other.horizon().isAfter(row().claimedAt()));
          case NONE -> false;
        };
  }

  private Duration untilFinal() {
    Instant last =
        others.stream()
            .map(OpenAttempt::horizon)
            .max(Comparator.naturalOrder())
            .orElse(row().judgedAt());
    Duration until = Duration.between(row().judgedAt(), last);
    return until.isNegative() ? Duration.ZERO : until;
  }

  private Optional<Supplier<ReconcileOutcome>> mayDispatch() {
    Changes changes = new Changes(row()).recount(others.size() + 1).restartKey();
    others.forEach(other -> changes.closeAttempt());
    return OperationUpdate.apply(transaction(), changes)
        .map(
            after -> {
              others.forEach(other -> ClosingObservation.notHappened(transaction(), row(), other));
              return () ->
                  new ReconcileOutcome.MayDispatch(Mint.dispatchOf(lease, after.revision()));
            });
  }

  private Optional<Supplier<ReconcileOutcome>> park(String reason) {
    if (isWitnessed()) {
      return giveBack(reason, ReconcileOutcome.ClaimAgain::new);
    }
    return closeOwn(givenUp().park(reason), reason)
        .map(
            after -> {
              open.tell(new News.Parked());
              return () -> new ReconcileOutcome.Parked(reason);
            });
  }

  private Optional<Supplier<ReconcileOutcome>> giveBack(
      @Nullable String reason, Supplier<ReconcileOutcome> answer) {
    return closeOwn(givenUp(), reason).map(after -> answer);
  }

  private Changes givenUp() {
    return new Changes(row())
        .recount(others.size() + 1)
        .closeAttempt()
        .becomeUnknown()
        .releaseLease();
  }

  /**
   * Nothing was dispatched under a lease that only asked: though it is over, its attempt closes.
   *
   * @param reason for which this finding would have given it back
   * @param answer what it would have said; it was lost, where that was done already
   */
  private Optional<Supplier<ReconcileOutcome>> over(
      String reason, Supplier<ReconcileOutcome> answer) {
    AttemptRows attempts = new AttemptRows(transaction(), row());
    if (!attempts.isKnown(lease.claimId())) {
      return Optional.of(withoutLease(row()));
    }
    if (attempts.isClosed(lease.claimId())) {
      return Optional.of(
          operation.isHeldBy(lease) && row().parkedReason() == null
              ? givenBack(attempts, reason, answer)
              : withoutLease(row()));
    }
    boolean inProgress = operation.isHeldBy(lease) && row().state() == OperationState.IN_PROGRESS;
    Changes changes = inProgress ? givenUp() : new Changes(row()).closeAttempt();
    return closeOwn(changes, null).map(Asked::withoutLease);
  }

  /** Nobody has claimed it since. */
  private Supplier<ReconcileOutcome> givenBack(
      AttemptRows attempts, String reason, Supplier<ReconcileOutcome> answer) {
    if (isWitnessed()) {
      return ReconcileOutcome.ClaimAgain::new;
    }
    return attempts.isGivenBackFor(lease.claimId(), reason) ? answer : withoutLease(row());
  }

  private static Supplier<ReconcileOutcome> withoutLease(OperationRow row) {
    String parked = row.parkedReason();
    return parked == null ? ReconcileOutcome.Lost::new : () -> new ReconcileOutcome.Parked(parked);
  }

  private Optional<OperationRow> closeOwn(Changes changes, @Nullable String reason) {
    // before it is done: a guard of the schema looks for it
    ClosingObservation.notDispatched(transaction(), row(), lease, reason);
    Optional<OperationRow> after = OperationUpdate.apply(transaction(), changes);
    if (changes.endsLease()) {
      after.ifPresent(row -> ResourceUpdate.follow(transaction(), row(), row));
    }
    return after;
  }
}
