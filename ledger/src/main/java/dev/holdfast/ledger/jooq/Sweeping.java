package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingOperation.Cause;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sweeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.ResultQuery;

/**
 * Sweeps in two parts. Leases that are over are demoted in one transaction, each by compare and
 * set; rows that others have locked are passed over, so that it waits for nobody. Evidence is
 * picked up by {@link Attending}, one operation at a time. Safe for use by many threads.
 */
final class Sweeping implements Sweeper {
  private static final AttemptOrigin ORIGIN = new AttemptOrigin("sweeper", null, null, null, 1);

  private final LedgerTransaction transactions;
  private final PostgresClock clock;
  private final OperatorActs acts;
  private final Reading reading;
  private final Attending attending;

  Sweeping(
      LedgerTransaction transactions,
      PostgresClock clock,
      OperatorActs acts,
      Reading reading,
      Attending attending) {
    this.transactions = transactions;
    this.clock = clock;
    this.acts = acts;
    this.reading = reading;
    this.attending = attending;
  }

  @Override
  public Swept sweep(Terms terms) {
    Batch demoted =
        transactions
            .commit(Duration.ZERO, open -> Optional.of(demote(open.dsl(), terms)))
            .orElse(new Batch(0, false));
    Batch settled = pickUp(terms);
    return new Swept(demoted.done(), settled.done(), demoted.isFull() || settled.isFull());
  }

  private record Batch(int done, boolean isFull) {}

  private Batch demote(DSLContext transaction, Terms terms) {
    Instant now = Objects.requireNonNull(transaction.select(clock.now()).fetchSingle().value1());
    List<OperationRow> dead =
        dead(transaction, now, terms).fetch(row -> new OperationRow(row, now));
    int demoted = 0;
    for (OperationRow row : dead) {
      if (OperationUpdate.apply(transaction, new Changes(row).becomeUnknown()).isPresent()) {
        ObservationInsert.leaseExpired(transaction, row);
        demoted++;
      }
    }
    return new Batch(demoted, dead.size() == terms.atMost());
  }

  /**
   * By the index on the claim's instant, which takes values alone and no clock. Passing over what
   * is locked it never waits, so that a lease may be judged in the condition.
   */
  private static ResultQuery<?> dead(DSLContext transaction, Instant now, Terms terms) {
    return transaction
        .select(OPERATION.fields())
        .from(OPERATION)
        .where(OPERATION.CLAIMED_AT.gt(now.minus(terms.lookBack())))
        .and(OPERATION.CLAIMED_AT.le(now))
        .and(OPERATION.STATE.eq("in_progress"))
        .and(OPERATION.EXPIRES_AT.le(now))
        .limit(terms.atMost())
        .forUpdate()
        .skipLocked();
  }

  private Batch pickUp(Terms terms) {
    List<AwaitingOperation> awaiting =
        acts.list(AwaitingQuery.all().waitingFor(Set.of(Cause.EVIDENCE)).limitedTo(terms.atMost()));
    int settled = 0;
    for (AwaitingOperation one : awaiting) {
      Optional<OperationView> after =
          reading
              .read(one.scope(), one.operation())
              .flatMap(seen -> attending.attend(request(seen.reservation(), terms)));
      if (after.isPresent() && after.get().pendingEvidence() == 0) {
        settled++;
      }
    }
    return new Batch(settled, settled > 0 && awaiting.size() == terms.atMost());
  }

  /** The rule that parks nothing: which one its author declared is not known here. */
  private static AttendRequest request(Reservation reservation, Terms terms) {
    return new AttendRequest(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        reservation.generation(),
        new OpenAttemptRule.RolledBack(),
        terms.policy(),
        terms.worker(),
        ORIGIN);
  }
}
