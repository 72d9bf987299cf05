package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * One transaction for each of a person's acts: lock, load, judge, record, compare and set. A dry
 * run ends with the judgement. Safe for use by many threads.
 */
final class ActTransaction {
  private final LedgerTransaction transactions;
  private final OperationLock lock;
  private final PostgresClock clock;
  private final ActWriter writer;
  private final String systemId;

  ActTransaction(LedgerTransaction transactions, PostgresClock clock, String systemId) {
    this.transactions = transactions;
    this.lock = new OperationLock(clock);
    this.clock = clock;
    this.writer = new ActWriter(clock, systemId);
    this.systemId = systemId;
  }

  ActOutcome act(ActTerms terms, Order order) {
    LedgerTransaction.Work<ActOutcome> work = open -> act(open, terms, order);
    // under no lease: nothing but the network's own time-out bounds it
    Optional<ActOutcome> outcome =
        terms.dryRun()
            ? transactions.look(Duration.ZERO, work)
            : transactions.again().unleased(() -> transactions.commit(Duration.ZERO, work));
    return outcome.orElseGet(ActOutcome.Contended::new);
  }

  private Optional<ActOutcome> act(OpenTransaction open, ActTerms terms, Order order) {
    Optional<Reservation> seen = reservation(open.dsl(), terms);
    if (seen.isEmpty()) {
      return Optional.of(new ActOutcome.Absent());
    }
    // a rebind in between may have moved it to a resource that is not locked
    return lock.lock(open.dsl(), seen.get())
        .filter(operation -> operation.row().reservation().equals(seen.get()))
        .flatMap(operation -> act(open, operation, terms, order));
  }

  private Optional<Reservation> reservation(DSLContext transaction, ActTerms terms) {
    return transaction
        .select(OPERATION.fields())
        .select(clock.now().as(OperationRow.JUDGED_AT))
        .from(OPERATION)
        .where(OPERATION.SCOPE.eq(terms.scope().value()))
        .and(OPERATION.OPERATION_ID.eq(terms.operation().text()))
        .fetchOptional(row -> new OperationRow(row).reservation());
  }

  /** Whether it was done before is asked behind the lock, which a lost request may hold still. */
  private Optional<ActOutcome> act(
      OpenTransaction open, LockedOperation operation, ActTerms terms, Order order) {
    Optional<ActOutcome> before =
        new ActReadback(open.dsl(), operation.row(), systemId).find(terms, order);
    return before.isPresent() ? before : afresh(open, operation, terms, order);
  }

  private static boolean hasMoved(OperationRow row, ActTerms terms, Order order) {
    Rebind rebind = order.rebind();
    return (terms.expected() != null && !terms.expected().equals(row.revision()))
        || (rebind != null && !rebind.expected().equals(row.tuple()));
  }

  private Optional<ActOutcome> afresh(
      OpenTransaction open, LockedOperation operation, ActTerms terms, Order order) {
    OperationView before = new OperationViews(open.dsl(), systemId).outline(operation.row());
    if (hasMoved(operation.row(), terms, order)) {
      return Optional.of(new ActOutcome.Moved(before));
    }
    ActRows rows = new ActRows(open.dsl(), operation);
    ActFacts facts = rows.facts();
    return switch (new ActJudge(facts).judge(order)) {
      case ActJudge.Refused(ActOutcome outcome) -> Optional.of(outcome);
      case ActJudge.Allowed ruling -> {
        ActOutcome.Done done =
            new ActOutcome.Done(
                before,
                ruling.after(),
                List.copyOf(rows.waiting()),
                ruling instanceof ActJudge.ReceiptStands ? List.of() : rows.dependents(),
                terms.dryRun());
        yield terms.dryRun()
            ? Optional.of(done)
            : writer
                .write(open.dsl(), facts, terms, order, ruling)
                .map(after -> told(open, operation.row(), done));
      }
    };
  }

  private static ActOutcome told(OpenTransaction open, OperationRow before, ActOutcome.Done done) {
    boolean isAdopted =
        before.state() == OperationState.COMPLETED && done.after() == OperationState.COMPLETED;
    if (!isAdopted) {
      Dependents.tell(open, before, done.after(), done.dependents());
    }
    return done;
  }
}
