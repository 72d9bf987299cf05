package dev.holdfast.activities.internal;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.Scope;
import dev.holdfast.workflows.internal.BindingLookup;
import dev.holdfast.workflows.internal.OperationKeys;
import io.temporal.activity.Activity;
import java.util.function.Supplier;

/** Reads one binding for the workflow side. */
final class BindingLookupActivity implements BindingLookup {
  private final Supplier<Barrier> barrier;

  BindingLookupActivity(Supplier<Barrier> barrier) {
    this.barrier = barrier;
  }

  @Override
  public BindingRef current(Query query) {
    Barrier open = barrier.get();
    BindingName name = query.name();
    try {
      long current =
          open.border()
              .ledger()
              .currentBinding(scope(query, open.settings()), Vocabulary.ledger(name))
              .value();
      return new BindingRef(name, new Generation(current));
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      throw HoldfastFailures.ledgerUnavailable("binding", "the ledger could not be asked");
    }
  }

  /** As that of an operation whose arguments name none. */
  private static Scope scope(Query query, HoldfastSettings settings) {
    String namespace = Activity.getExecutionContext().getInfo().getNamespace();
    return Vocabulary.ledger(OperationKeys.scope(query.scope(), settings.ledgerScope(), namespace));
  }
}
