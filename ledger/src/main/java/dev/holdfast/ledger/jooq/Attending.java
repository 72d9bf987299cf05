package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Looks after operations that nobody works on: reads first, for most need nothing; then locks,
 * judges anew and changes what a claim would have changed. Safe for use by many threads.
 */
final class Attending {
  private final Reading reading;
  private final LedgerTransaction transactions;
  private final OperationLock lock;
  private final EvidencePickUp pickUp;
  private final LedgerOptions options;

  Attending(
      Reading reading,
      LedgerTransaction transactions,
      PostgresClock clock,
      LedgerOptions options,
      String systemId) {
    this.reading = reading;
    this.transactions = transactions;
    this.lock = new OperationLock(clock);
    this.pickUp = new EvidencePickUp(lock, new VerdictWriter(clock, systemId), clock, systemId);
    this.options = options;
  }

  Optional<OperationView> attend(AttendRequest request) {
    Optional<OperationView> seen = reading.read(request.scope(), request.operation());
    Optional<Reservation> awaiting =
        seen.filter(view -> mayNeedIt(view, request)).map(OperationView::reservation);
    if (awaiting.isEmpty()) {
      return seen;
    }
    change(request, claim(request, awaiting.get()));
    return reading.read(request.scope(), request.operation());
  }

  private static boolean mayNeedIt(OperationView view, AttendRequest request) {
    boolean idle =
        switch (view.state()) {
          case UNKNOWN -> true;
          case IN_PROGRESS -> !view.leaseRest().isPositive();
          case COMPLETED, FAILED, CONFLICT -> false;
        };
    return idle
        && request.isAbout(view.reservation())
        && (view.state() == OperationState.IN_PROGRESS
            || view.pendingEvidence() > 0
            || (view.parkedReason() == null && view.openAttempts() > 0 && mayPark(request.rule())));
  }

  private static boolean mayPark(OpenAttemptRule rule) {
    return ParkReason.of(rule, Duration.ZERO) != null;
  }

  /** One id however often the change is sent: it is made under one claim. */
  private PickUpClaim claim(AttendRequest request, Reservation reservation) {
    return new PickUpClaim(
        reservation,
        ClaimId.random(),
        request.worker(),
        request.origin(),
        options.networkTimeout(),
        request.policy());
  }

  /** Where rivals kept moving the row, they have looked after it. */
  private void change(AttendRequest request, PickUpClaim claim) {
    // under no lease: nothing but the network's own time-out bounds it
    Optional<Boolean> parked =
        transactions
            .again()
            .unleased(
                () ->
                    transactions.commit(
                        Duration.ZERO, open -> change(open.dsl(), request.rule(), claim)));
    if (parked.orElse(false)) {
      options.listener().parked();
    }
  }

  /** Whether it was parked; empty where the compare-and-set missed. */
  private Optional<Boolean> change(
      DSLContext transaction, OpenAttemptRule rule, PickUpClaim claim) {
    return lock.lock(transaction, claim.reservation())
        .filter(operation -> isIdle(operation, claim))
        .map(operation -> change(transaction, operation, rule, claim))
        .orElse(Optional.of(false));
  }

  private static boolean isIdle(LockedOperation operation, PickUpClaim claim) {
    return operation.row().reservation().equals(claim.reservation())
        && !operation.isHeld()
        && switch (operation.row().state()) {
          case UNKNOWN, IN_PROGRESS -> true;
          case COMPLETED, FAILED, CONFLICT -> false;
        };
  }

  private Optional<Boolean> change(
      DSLContext transaction, LockedOperation operation, OpenAttemptRule rule, PickUpClaim claim) {
    OperationRow row = operation.row();
    if (row.pendingEvidence() > 0) {
      return operation.isResourceTaken()
          ? Optional.of(false)
          : pickUp.settle(transaction, operation, claim).map(done -> false);
    }
    boolean demoted = row.state() == OperationState.IN_PROGRESS;
    String reason = toPark(row, rule);
    if (reason == null && !demoted) {
      return Optional.of(false);
    }
    Changes changes = new Changes(row).becomeUnknown();
    if (reason != null) {
      changes.park(reason);
    }
    Optional<OperationRow> after = OperationUpdate.apply(transaction, changes);
    if (after.isPresent() && demoted) {
      ObservationInsert.leaseExpired(transaction, row);
    }
    return after.map(done -> reason != null);
  }

  private static @Nullable String toPark(OperationRow row, OpenAttemptRule rule) {
    return row.parkedReason() == null && row.openAttempts() > 0
        ? ParkReason.of(rule, row.keyLeft(rule))
        : null;
  }
}
