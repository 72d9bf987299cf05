package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.Reservation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jooq.exception.DataAccessException;

/**
 * Explains why a claim was not granted, in one order: fingerprint, generation (the binding's and
 * the row's), resource, terminal, live lease, pending evidence, parked, open attempts, gates. Safe
 * for use by many threads.
 */
final class Refusals {
  private final LedgerConnection connection;
  private final LedgerTransaction transactions;
  private final LedgerOptions options;
  private final String systemId;
  private final SettlementTransaction slowPath;
  private final ConfirmStatement confirm;
  private final ParkStatement park;

  Refusals(
      LedgerConnection connection,
      LedgerTransaction transactions,
      LedgerSql sql,
      LedgerOptions options,
      String systemId,
      SettlementTransaction slowPath) {
    this.connection = connection;
    this.transactions = transactions;
    this.options = options;
    this.systemId = systemId;
    this.slowPath = slowPath;
    this.confirm = new ConfirmStatement(sql, options.commitLevel());
    this.park = new ParkStatement(sql, options.commitLevel());
  }

  /** Empty where nothing that was seen explains it. */
  Optional<Claim> explain(ClaimRequest request, ClaimAnswer answer) {
    SeenOperation seen = answer.seen();
    if (seen == null) {
      return superseded(request, answer)
          .or(() -> busy(answer))
          .or(() -> answer.closedGate(request));
    }
    Optional<Claim> difference = difference(request, answer, seen);
    if (difference.isPresent()) {
      leaveToAPerson(difference.get(), request, answer, seen);
      return difference;
    }
    return switch (seen.state()) {
      case COMPLETED -> replay(request, seen);
      case FAILED -> Optional.ofNullable(seen.failure()).map(Claim.AlreadyFailed::new);
      case CONFLICT -> Optional.of(new Claim.Conflicted());
      case IN_PROGRESS, UNKNOWN ->
          busy(answer)
              .or(() -> seen.pendingEvidence() > 0 ? pickUp(request) : idle(request, answer, seen));
    };
  }

  /** An open attempt of a generation that is claimed no more; unless somebody moved it. */
  private void leaveToAPerson(
      Claim refusal, ClaimRequest request, ClaimAnswer answer, SeenOperation seen) {
    if (refusal instanceof Claim.Superseded && answer.heldFor() == null && isOpenOf(seen)) {
      String reason = ParkReason.afterRotation(request.rule(), seen.keyLeft());
      if (reason != null) {
        Optional<Claim> unused = park(request, seen, reason);
      }
    }
  }

  private static boolean isOpenOf(SeenOperation seen) {
    boolean isOpen =
        switch (seen.state()) {
          case UNKNOWN, IN_PROGRESS -> seen.openAttempts() > 0;
          case COMPLETED, FAILED, CONFLICT -> false;
        };
    return isOpen
        && seen.sameGeneration()
        && seen.sameResource()
        && seen.parkedReason() == null
        && seen.pendingEvidence() == 0;
  }

  private static Optional<Claim> difference(
      ClaimRequest request, ClaimAnswer answer, SeenOperation seen) {
    if (!seen.sameFingerprint()) {
      return Optional.of(new Claim.Rejected(Claim.Difference.FINGERPRINT));
    }
    Optional<Claim> superseded = superseded(request, answer);
    if (superseded.isPresent()) {
      return superseded;
    }
    if (!seen.sameGeneration()) {
      return Optional.of(new Claim.Rejected(Claim.Difference.GENERATION));
    }
    return seen.sameResource()
        ? Optional.empty()
        : Optional.of(new Claim.Rejected(Claim.Difference.RESOURCE));
  }

  /** A generation above the binding's own was never given out here. */
  private static Optional<Claim> superseded(ClaimRequest request, ClaimAnswer answer) {
    Generation current = answer.binding();
    Generation asked = request.reservation().generation();
    if (current == null || current.equals(asked)) {
      return Optional.empty();
    }
    return Optional.of(
        current.value() > asked.value()
            ? new Claim.Superseded(current)
            : new Claim.Rejected(Claim.Difference.GENERATION));
  }

  private static Optional<Claim> busy(ClaimAnswer answer) {
    return Optional.ofNullable(answer.heldFor()).map(Claim.Busy::new);
  }

  /** Empty where somebody else moved it: what was seen explains nothing any more. */
  private Optional<Claim> pickUp(ClaimRequest request) {
    Claim picked = slowPath.pickUp(request);
    return picked instanceof Claim.Contended ? Optional.empty() : Optional.of(picked);
  }

  private Optional<Claim> idle(ClaimRequest request, ClaimAnswer answer, SeenOperation seen) {
    if (seen.parkedReason() != null) {
      return Optional.of(new Claim.Parked(seen.parkedReason()));
    }
    String reason = seen.openAttempts() > 0 ? ParkReason.of(request.rule(), seen.keyLeft()) : null;
    return reason == null ? answer.closedGate(request) : park(request, seen, reason);
  }

  /**
   * Empty where what was seen has moved: it may be completed, and nobody hears that a person is
   * awaited who is not.
   */
  private Optional<Claim> park(ClaimRequest request, SeenOperation seen, String reason) {
    Duration patience = options.patience(request.leaseFor());
    Bindings settings = StatementSettings.bindings(patience);
    Optional<Claim> parked = Optional.of(new Claim.Parked(reason));
    return transactions
        .commit(
            request.leaseFor(),
            open ->
                Optional.of(parked(open, request.reservation(), seen.token(), reason, settings)))
        .filter(done -> done)
        .flatMap(done -> parked);
  }

  private boolean parked(
      OpenTransaction open, Reservation reservation, long token, String reason, Bindings settings) {
    try {
      boolean parked = park.execute(open.connection(), reservation, token, reason, settings);
      if (parked) {
        open.tell(new News.Parked());
      }
      return parked;
    } catch (SQLException e) {
      throw new DataAccessException("an operation could not be parked", e);
    }
  }

  private Optional<Claim> replay(ClaimRequest request, SeenOperation seen) {
    SeenOperation.Settled settled = seen.settled();
    if (settled == null) {
      return Optional.empty();
    }
    Completion completion =
        new Completion(
            request.reservation().scope(),
            request.reservation().operation(),
            request.reservation().fingerprint(),
            request.reservation().generation(),
            seen.epoch(),
            settled.effect(),
            settled.receipt(),
            new LedgerPosition(systemId, settled.timeline()));
    if (!settled.confirmed()) {
      confirm(completion);
    }
    return Optional.of(new Claim.Replay(completion, settled.result()));
  }

  private void confirm(Completion completion) {
    Duration patience = options.networkTimeout();
    connection.autocommit(
        patience,
        borrowed -> confirm.execute(borrowed, completion, StatementSettings.bindings(patience)));
  }
}
