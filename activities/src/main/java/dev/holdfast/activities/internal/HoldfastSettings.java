package dev.holdfast.activities.internal;

import dev.holdfast.Scope;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.WorkerName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin was told.
 *
 * @param ledgerScope the scope of operations whose arguments name none; null for the namespace
 * @param leaseFor how long a lease lasts unless renewed
 * @param margin what must remain of it at the commit
 * @param waitInPlace how long a call waits for another's lease before it fails as busy
 * @param worker who renews, for people who read the ledger
 * @param activityInterfaces looked at first by the workflow side
 * @param counters where the barrier counts
 * @param reconcilers for implementations that are none themselves
 * @param verifiers of what upstreams sign
 * @param sweepEvery how often a worker sweeps the ledger; zero for never
 */
public record HoldfastSettings(
    @Nullable Scope ledgerScope,
    Duration leaseFor,
    LeaseMargin margin,
    Duration waitInPlace,
    WorkerName worker,
    List<Class<?>> activityInterfaces,
    HoldfastCounters counters,
    List<RegisteredReconciler> reconcilers,
    List<RegisteredVerifier> verifiers,
    Duration sweepEvery) {

  public HoldfastSettings {
    activityInterfaces = List.copyOf(activityInterfaces);
    reconcilers = List.copyOf(reconcilers);
    verifiers = List.copyOf(verifiers);
  }
}
