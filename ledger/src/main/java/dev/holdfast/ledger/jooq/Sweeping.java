package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.falseCondition;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingOperation.Cause;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationType;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.ResultQuery;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps in two parts. Leases that are over are demoted, and what waits for a person is parked, in
 * one transaction, each by compare and set; rows that others have locked are passed over, so that
 * it waits for nobody. Evidence is picked up by {@link Attending}, one operation at a time. Safe
 * for use by many threads.
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
    Looked looked =
        transactions
            .commit(Duration.ZERO, open -> Optional.of(look(open, terms)))
            .orElse(new Looked(0, 0, false));
    Batch settled = pickUp(terms);
    return new Swept(
        looked.demoted(), looked.parked(), settled.done(), looked.isFull() || settled.isFull());
  }

  private record Looked(int demoted, int parked, boolean isFull) {}

  private record Batch(int done, boolean isFull) {}

  private static final class Count {
    private int demoted;
    private int parked;
  }

  private Looked look(OpenTransaction open, Terms terms) {
    DSLContext transaction = open.dsl();
    Instant now = Objects.requireNonNull(transaction.select(clock.now()).fetchSingle().value1());
    List<OperationRow> idle =
        idle(transaction, now, terms).fetch(row -> new OperationRow(row, now));
    Count count = new Count();
    idle.forEach(row -> change(open, row, terms, count));
    return new Looked(count.demoted, count.parked, idle.size() == terms.atMost());
  }

  /** Demotes a lease that is over, and parks what the rule leaves to a person. */
  private static void change(OpenTransaction open, OperationRow row, Terms terms, Count count) {
    boolean demoted = row.state() == OperationState.IN_PROGRESS;
    String reason = toPark(row, terms);
    if (!demoted && reason == null) {
      return;
    }
    Changes changes = new Changes(row).becomeUnknown();
    if (reason != null) {
      changes.park(reason);
    }
    if (OperationUpdate.apply(open.dsl(), changes).isEmpty()) {
      return;
    }
    if (demoted) {
      ObservationInsert.leaseExpired(open.dsl(), row);
      count.demoted++;
    }
    if (reason != null) {
      open.tell(new News.Parked());
      count.parked++;
    }
  }

  private static @Nullable String toPark(OperationRow row, Terms terms) {
    OpenAttemptRule rule = terms.rules().get(OperationType.of(row.reservation().operation()));
    return rule == null || row.openAttempts() == 0 || row.pendingEvidence() > 0
        ? null
        : ParkReason.of(rule, row.keyLeft(rule));
  }

  /**
   * By the index on the claim's instant, which takes values alone and no clock. Passing over what
   * is locked it never waits, so that a lease may be judged in the condition.
   */
  static ResultQuery<?> idle(DSLContext transaction, Instant now, Terms terms) {
    return transaction
        .select(OPERATION.fields())
        .from(OPERATION)
        .where(OPERATION.CLAIMED_AT.gt(now.minus(terms.lookBack())))
        .and(OPERATION.CLAIMED_AT.le(now))
        .and(isOver(now).or(waitsForAPerson(now, terms)))
        .limit(terms.atMost())
        .forUpdate()
        .skipLocked();
  }

  private static Condition isOver(Instant now) {
    return OPERATION.STATE.eq("in_progress").and(OPERATION.EXPIRES_AT.le(now));
  }

  /** Demoted before; what its rule leaves to others still would fill each batch for nothing. */
  private static Condition waitsForAPerson(Instant now, Terms terms) {
    return OPERATION
        .STATE
        .eq("unknown")
        .and(OPERATION.PARKED_REASON.isNull())
        .and(OPERATION.PENDING_EVIDENCE.eq(0))
        .and(OPERATION.OPEN_ATTEMPTS.gt(0))
        .and(
            terms.rules().entrySet().stream()
                .map(of -> isLeftToAPerson(of.getKey(), of.getValue(), now))
                .reduce(falseCondition(), Condition::or));
  }

  private static Condition isLeftToAPerson(OperationType type, OpenAttemptRule rule, Instant now) {
    Condition ofType = OPERATION.OPERATION_ID.startsWith(type.value() + ":");
    return switch (rule) {
      case OpenAttemptRule.ParkWhileOpen park -> ofType;
      case OpenAttemptRule.SameKeyAgain again
          when again.then() instanceof OpenAttemptRule.ParkWhileOpen ->
          ofType.and(OPERATION.FIRST_CLAIMED_AT.le(now.minus(again.usable())));
      case OpenAttemptRule.SameKeyAgain again -> falseCondition();
      case OpenAttemptRule.AskFirst ask -> falseCondition();
      case OpenAttemptRule.RolledBack done -> falseCondition();
    };
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

  /** The rule that parks nothing: whom it waits for was judged before. */
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
