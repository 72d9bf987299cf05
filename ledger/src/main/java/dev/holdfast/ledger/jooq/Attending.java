package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.BindingName;
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
            || (view.parkedReason() == null && view.openAttempts() > 0 && mayPark(request)));
  }

  /** Whether it will, is judged behind the lock. */
  private static boolean mayPark(AttendRequest request) {
    return reason(request.rule(), Duration.ZERO, request.binding() != null) != null;
  }

  private static @Nullable String reason(
      OpenAttemptRule rule, Duration keyLeft, boolean isSuperseded) {
    return isSuperseded ? ParkReason.afterRotation(rule, keyLeft) : ParkReason.of(rule, keyLeft);
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
    Optional<Boolean> unused =
        transactions
            .again()
            .unleased(
                () -> transactions.commit(Duration.ZERO, open -> change(open, request, claim)));
  }

  /** Whether it was parked; empty where the compare-and-set missed. */
  private Optional<Boolean> change(OpenTransaction open, AttendRequest request, PickUpClaim claim) {
    Optional<Boolean> parked =
        lock.lock(open.dsl(), claim.reservation())
            .filter(operation -> isIdle(operation, claim))
            .map(operation -> change(open.dsl(), operation, request, claim))
            .orElse(Optional.of(false));
    if (parked.orElse(false)) {
      open.tell(new News.Parked());
    }
    return parked;
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
      DSLContext transaction, LockedOperation operation, AttendRequest request, PickUpClaim claim) {
    OperationRow row = operation.row();
    if (row.pendingEvidence() > 0) {
      return operation.isResourceTaken()
          ? Optional.of(false)
          : pickUp.settle(transaction, operation, claim).map(done -> false);
    }
    boolean demoted = row.state() == OperationState.IN_PROGRESS;
    String reason = toPark(transaction, row, request);
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

  private static @Nullable String toPark(
      DSLContext transaction, OperationRow row, AttendRequest request) {
    OpenAttemptRule rule = request.rule();
    return row.parkedReason() == null && row.openAttempts() > 0
        ? reason(rule, row.keyLeft(rule), isSuperseded(transaction, request))
        : null;
  }

  /** Read without a lock, and sound: generations never fall. */
  private static boolean isSuperseded(DSLContext transaction, AttendRequest request) {
    BindingName binding = request.binding();
    return binding != null
        && RotateTransaction.current(transaction, request.scope(), binding).value()
            > request.generation().value();
  }
}
