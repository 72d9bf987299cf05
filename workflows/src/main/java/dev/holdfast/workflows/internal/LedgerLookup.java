package dev.holdfast.workflows.internal;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Asks the ledger how an operation stands. Run as a local activity, one short call at a time: its
 * result is a small row, because a local activity's result of 2 MiB terminates the workflow.
 *
 * <p>Dispatches nothing, and reads only unless the query says more. Throws {@code
 * LedgerUnavailable} where the ledger does not answer.
 */
@ActivityInterface
public interface LedgerLookup {
  /** The activity type. */
  String TYPE = "HoldfastLedgerLookup";

  /** How the operation stands now; the result payload only where it has at most 64 KiB. */
  @ActivityMethod(name = TYPE)
  LookedUp lookUp(LookupQuery query);
}
