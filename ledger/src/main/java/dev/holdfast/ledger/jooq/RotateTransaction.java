package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.BINDING;
import static dev.holdfast.ledger.jooq.generated.Tables.BINDING_CHANGE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import java.time.Duration;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * Raises a binding's generation: lock, look for the same order, compare, record, set. A rival's
 * first rotation locks no row that could be waited for; its insert is. Safe for use by many
 * threads.
 */
final class RotateTransaction {
  private final LedgerTransaction transactions;
  private final PostgresClock clock;

  RotateTransaction(LedgerTransaction transactions, PostgresClock clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /** The generation as of now; 0 where nobody ever rotated it. */
  static Generation current(DSLContext sql, Scope scope, BindingName name) {
    return sql.select(BINDING.GENERATION)
        .from(BINDING)
        .where(isBinding(scope, name))
        .fetchOptional(BINDING.GENERATION)
        .map(Generation::new)
        .orElseGet(() -> new Generation(0));
  }

  RotateOutcome rotate(Rotation rotation) {
    return transactions.again().unleased(() -> once(rotation));
  }

  private RotateOutcome once(Rotation rotation) {
    LedgerTransaction.Work<RotateOutcome> work = open -> rotate(open.dsl(), rotation);
    Optional<RotateOutcome> outcome =
        rotation.dryRun()
            ? transactions.look(Duration.ZERO, work)
            : transactions.commit(Duration.ZERO, work);
    return outcome.orElseGet(RotateOutcome.Contended::new);
  }

  private Optional<RotateOutcome> rotate(DSLContext transaction, Rotation rotation) {
    Optional<Generation> locked = lock(transaction, rotation);
    if (isDone(transaction, rotation)) {
      return Optional.of(new RotateOutcome.Rotated(rotation.next(), rotation.dryRun()));
    }
    Generation current = locked.orElseGet(() -> new Generation(0));
    if (!current.equals(rotation.expected())) {
      return Optional.of(new RotateOutcome.Moved(current));
    }
    RotateOutcome done = new RotateOutcome.Rotated(rotation.next(), rotation.dryRun());
    if (rotation.dryRun()) {
      return Optional.of(done);
    }
    // before the change: the schema's guard looks for its record
    if (!record(transaction, rotation)) {
      return Optional.empty();
    }
    boolean set = locked.isPresent() ? raise(transaction, rotation) : begin(transaction, rotation);
    return set ? Optional.of(done) : Optional.empty();
  }

  private static Optional<Generation> lock(DSLContext transaction, Rotation rotation) {
    return transaction
        .select(BINDING.GENERATION)
        .from(BINDING)
        .where(isBinding(rotation.scope(), rotation.binding()))
        .forUpdate()
        .fetchOptional(BINDING.GENERATION)
        .map(Generation::new);
  }

  /** Whether this very order was carried out before. */
  private static boolean isDone(DSLContext transaction, Rotation rotation) {
    Condition asOrdered =
        BINDING_CHANGE
            .SCOPE
            .eq(rotation.scope().value())
            .and(BINDING_CHANGE.NAME.eq(rotation.binding().value()))
            .and(BINDING_CHANGE.GENERATION.eq(rotation.next().value()));
    Optional<Boolean> same =
        transaction
            .select(field(asOrdered))
            .from(BINDING_CHANGE)
            .where(BINDING_CHANGE.ACT_ID.eq(rotation.id().value()))
            .fetchOptional(row -> Boolean.TRUE.equals(row.value1()));
    if (same.isPresent() && !same.get()) {
      throw new IllegalArgumentException("this act id is another rotation's: make a fresh one");
    }
    return same.isPresent();
  }

  /** False where a rival that was not seen has recorded this generation, or this very order. */
  private boolean record(DSLContext transaction, Rotation rotation) {
    return transaction
            .insertInto(BINDING_CHANGE)
            .set(BINDING_CHANGE.SCOPE, rotation.scope().value())
            .set(BINDING_CHANGE.NAME, rotation.binding().value())
            .set(BINDING_CHANGE.GENERATION, rotation.next().value())
            .set(BINDING_CHANGE.ACT_ID, rotation.id().value())
            .set(BINDING_CHANGE.ACTOR, rotation.actor())
            .set(BINDING_CHANGE.REASON, rotation.reason())
            .set(BINDING_CHANGE.CHANGED_AT, clock.now())
            // the guard puts the transaction's own number there
            .set(BINDING_CHANGE.WRITTEN_BY, val(0L))
            .onConflictDoNothing()
            .execute()
        == 1;
  }

  private boolean raise(DSLContext transaction, Rotation rotation) {
    return transaction
            .update(BINDING)
            .set(BINDING.GENERATION, rotation.next().value())
            .set(BINDING.ROTATED_AT, clock.now())
            .where(isBinding(rotation.scope(), rotation.binding()))
            .and(BINDING.GENERATION.eq(rotation.expected().value()))
            .execute()
        == 1;
  }

  private boolean begin(DSLContext transaction, Rotation rotation) {
    return transaction
            .insertInto(BINDING)
            .set(BINDING.SCOPE, rotation.scope().value())
            .set(BINDING.NAME, rotation.binding().value())
            .set(BINDING.GENERATION, rotation.next().value())
            .set(BINDING.ROTATED_AT, clock.now())
            .onConflictDoNothing()
            .execute()
        == 1;
  }

  private static Condition isBinding(Scope scope, BindingName name) {
    return BINDING.SCOPE.eq(scope.value()).and(BINDING.NAME.eq(name.value()));
  }
}
