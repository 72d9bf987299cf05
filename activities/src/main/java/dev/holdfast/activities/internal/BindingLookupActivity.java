package dev.holdfast.activities.internal;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.Scope;
import dev.holdfast.workflows.internal.BindingLookup;
import io.temporal.activity.Activity;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
              .currentBinding(scope(query.scope(), open.settings()), Vocabulary.ledger(name))
              .value();
      return new BindingRef(name, new Generation(current));
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      throw HoldfastFailures.ledgerUnavailable("binding", "the ledger could not be asked");
    }
  }

  /** As that of an operation whose arguments name none. */
  private static Scope scope(dev.holdfast.@Nullable Scope named, HoldfastSettings settings) {
    dev.holdfast.Scope scope = named == null ? settings.ledgerScope() : named;
    return scope == null
        ? new Scope(Activity.getExecutionContext().getInfo().getNamespace())
        : Vocabulary.ledger(scope);
  }
}
