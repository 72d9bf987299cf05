package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Looks for the attempt of a claim whose answer was lost, by its claim id. Under the row's lock: a
 * claim that is still under way holds it, and is waited for. A lease that is found live is
 * confirmed by a commit of its own before anybody acts upon it.
 */
final class ClaimReadback {
  private final LedgerTransaction transaction;
  private final OperationLock lock;

  ClaimReadback(LedgerTransaction transaction, PostgresClock clock) {
    this.transaction = transaction;
    this.lock = new OperationLock(clock);
  }

  /** How the attempt of a claim stands. */
  sealed interface Found {}

  /** The ledger does not know it, which says nothing of the future; or it settled the operation. */
  record Nothing() implements Found {}

  /** It holds a live lease, and a fresh claim would be granted it as well. */
  record Live(ClaimAnswer.Grant grant) implements Found {}

  /** Its lease is over, another's or no longer what a claim would get; its attempt is open. */
  record Over(ClaimAnswer.Grant grant) implements Found {}

  /** Its attempt is closed. */
  record Closed() implements Found {}

  /**
   * Finds it, as of now.
   *
   * @param expiry of the lease that may have been granted
   */
  Found find(ClaimRequest request, LocalDeadline expiry) {
    return transaction
        .commit(expiry.rest(), open -> Optional.of(find(open.dsl(), request)))
        .orElseGet(Nothing::new);
  }

  private Found find(DSLContext dsl, ClaimRequest request) {
    return lock.lock(dsl, request.reservation())
        .filter(locked -> new AttemptRows(dsl, locked.row()).isKnown(request.claimId()))
        .map(locked -> judge(dsl, locked, request))
        .orElseGet(Nothing::new);
  }

  private static Found judge(DSLContext dsl, LockedOperation locked, ClaimRequest request) {
    OperationRow row = locked.row();
    boolean current = row.claimId().equals(request.claimId());
    if (current && locked.isHeld() && isClaimable(row, request)) {
      confirm(dsl, row);
      return new Live(grant(request, row, row.token(), row.epoch()));
    }
    if (new AttemptRows(dsl, row).isClosed(request.claimId())) {
      // a claim that settled what others saw: its answer is the outcome
      return switch (row.state()) {
        case COMPLETED, FAILED, CONFLICT -> new Nothing();
        case UNKNOWN, IN_PROGRESS -> new Closed();
      };
    }
    return current
        ? new Over(grant(request, row, row.token(), row.epoch()))
        : new Over(former(dsl, row, request));
  }

  /**
   * Judged anew: since it was granted an older attempt may have stored what it saw, or the key may
   * have been forgotten. What the guard of a claim refuses is no reason to dispatch here either.
   */
  private static boolean isClaimable(OperationRow row, ClaimRequest request) {
    return row.pendingEvidence() == 0
        && (row.openAttempts() == 1 || mayGoOnBesideOpen(row, request));
  }

  private static boolean mayGoOnBesideOpen(OperationRow row, ClaimRequest request) {
    return switch (request.rule()) {
      case OpenAttemptRule.SameKeyAgain again ->
          row.keyLeft(again).isPositive() || again.then() instanceof OpenAttemptRule.AskFirst;
      case OpenAttemptRule.AskFirst ask -> true;
      case OpenAttemptRule.ParkWhileOpen park -> false;
      case OpenAttemptRule.RolledBack done -> true;
    };
  }

  private static ClaimAnswer.Grant former(DSLContext dsl, OperationRow row, ClaimRequest request) {
    return dsl.select(ATTEMPT.FENCING_TOKEN, ATTEMPT.EPOCH)
        .from(ATTEMPT)
        .where(ATTEMPT.SCOPE.eq(request.reservation().scope().value()))
        .and(ATTEMPT.OPERATION_ID.eq(request.reservation().operation().text()))
        .and(ATTEMPT.CLAIM_ID.eq(request.claimId().value()))
        .fetchSingle(
            kept -> grant(request, row, new FencingToken(kept.value1()), new Epoch(kept.value2())));
  }

  private static ClaimAnswer.Grant grant(
      ClaimRequest request, OperationRow row, FencingToken token, Epoch epoch) {
    return new ClaimAnswer.Grant(
        token, row.revision(), epoch, row.keyLeft(request.rule()), row.openAttempts() - 1);
  }

  /** Writes nothing new: what is committed after the claim is durable no sooner than the claim. */
  private static void confirm(DSLContext dsl, OperationRow row) {
    Reservation reservation = row.reservation();
    int rows =
        dsl.update(OPERATION)
            .set(OPERATION.WORKER, OPERATION.WORKER)
            .where(OPERATION.SCOPE.eq(reservation.scope().value()))
            .and(OPERATION.OPERATION_ID.eq(reservation.operation().text()))
            .execute();
    if (rows != 1) {
      throw new IllegalStateException("one claim was confirmed " + rows + " times");
    }
  }
}
