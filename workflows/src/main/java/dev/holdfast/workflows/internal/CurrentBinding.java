package dev.holdfast.workflows.internal;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Scope;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** Takes a binding's current generation into a workflow's history. */
public final class CurrentBinding {
  private CurrentBinding() {}

  /**
   * The binding as it stands at the first call; the same when the workflow is replayed.
   *
   * @param scope null for the scope of operations whose arguments name none
   * @throws io.temporal.failure.ApplicationFailure {@code LedgerUnavailable}: not in an hour;
   *     {@code InvalidOperation}: the namespace cannot be a scope
   */
  public static BindingRef of(@Nullable Scope scope, BindingName name) {
    BindingLookup ledger = Workflow.newLocalActivityStub(BindingLookup.class, LookupLoop.ONCE);
    BindingLookup.Query query = new BindingLookup.Query(scope, name);
    return PatientLook.ask(
        () -> ledger.current(query), "binding", "a binding could not be looked up in the ledger");
  }
}
