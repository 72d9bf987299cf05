package dev.holdfast.activities;

import dev.holdfast.Scope;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.internal.CountingListener;
import dev.holdfast.activities.internal.DeliveryDesk;
import dev.holdfast.activities.internal.HoldfastPlugin;
import dev.holdfast.activities.internal.HoldfastSettings;
import dev.holdfast.activities.internal.RegisteredReconciler;
import dev.holdfast.activities.internal.RegisteredVerifier;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.QuarantineListener;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.CommitLevel;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import io.temporal.common.converter.DataConverter;
import io.temporal.worker.WorkerPlugin;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker meets Holdfast: one plugin, registered with {@code
 * WorkerFactoryOptions.setPlugins}, protects every activity with {@link dev.holdfast.Fenced}.
 *
 * <p>Starting the workers opens the ledger and checks every registered activity: a database that
 * cannot keep the promise, missing tables, or an activity that cannot be protected stop the start
 * with a message that names the cure. Tables are made by an explicit migration, never here.
 */
public final class Holdfast {
  private Holdfast() {}

  /** A plugin over the ledger in this database, with all defaults. */
  public static WorkerPlugin plugin(DataSource dataSource) {
    return newBuilder(dataSource).build();
  }

  /** For a plugin over the ledger in this database. */
  public static Builder newBuilder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /** Options of a plugin. Not for use by several threads. */
  public static final class Builder {
    private final DataSource dataSource;
    private final List<Class<?>> activityInterfaces = new ArrayList<>();
    private @Nullable Scope ledgerScope;
    private LedgerOptions ledger = LedgerOptions.standard();
    // long enough to outlast pauses, short enough that a crash delays the next attempt little
    private Duration lease = Duration.ofSeconds(30);
    private LeaseMargin margin = LeaseMargin.STANDARD;
    // most leases are over sooner, and a retry by Temporal costs a second and an attempt
    private Duration waitInPlace = Duration.ofSeconds(2);
    private WorkerName workerName = new WorkerName(ManagementFactory.getRuntimeMXBean().getName());
    private HoldfastCounters counters = new HoldfastCounters();
    // nobody waits for it: often enough for people who look, seldom enough to cost nothing
    private Duration sweepEvery = Duration.ofMinutes(1);
    private final List<RegisteredReconciler> reconcilers = new ArrayList<>();
    private final List<RegisteredVerifier> verifiers = new ArrayList<>();

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /**
     * The scope of operations whose arguments name none; needed where namespaces share a ledger,
     * and then the same for workflow and activity workers. Default: the Temporal namespace.
     */
    public Builder setLedgerScope(Scope scope) {
      this.ledgerScope = scope;
      return this;
    }

    /**
     * Where the ledger's tables stand. Default: {@code holdfast}.
     *
     * @throws IllegalArgumentException not a plain lower-case name
     */
    public Builder setSchema(String schema) {
      this.ledger = ledger.inSchema(schema);
      return this;
    }

    /**
     * How long a lease lasts unless it is renewed, which happens three times in that span. Longer:
     * a crashed worker keeps others waiting longer. Shorter: a pause costs the lease sooner.
     * Default: 30 s; at least 1 s.
     */
    public Builder setLease(Duration lease) {
      this.lease = lease;
      return this;
    }

    /** What must remain of a lease when a receipt is committed. Default: 50 ms. */
    public Builder setMargin(Duration margin) {
      this.margin = new LeaseMargin(margin);
      return this;
    }

    /**
     * How long a call waits for a lease that is held elsewhere before it fails as {@code
     * OperationBusy}. Occupies an activity slot meanwhile. Default: 2 s.
     */
    public Builder setWaitInPlace(Duration waitInPlace) {
      this.waitInPlace = waitInPlace;
      return this;
    }

    /** How the ledger names this worker. Default: process id and host. */
    public Builder setWorkerName(String name) {
      this.workerName = new WorkerName(name);
      return this;
    }

    /**
     * How often a running worker looks after operations that nobody asks for again: demotes leases
     * that are over, for readers, and picks stored evidence up ({@link Ledger#sweeper}), one
     * bounded batch at a time. Any number of workers may do so. The first run looks at all that the
     * sweeper looks at, each later one at what was claimed since the last and in a lease and an
     * hour before it: what is older is found by its next claim, or when a worker starts. Nothing
     * waits for it, and safety needs it not. Default: about every minute.
     *
     * @param pause 1 s to 1 day, each time half to one and a half of it; zero for never
     * @throws IllegalArgumentException another one
     */
    public Builder setSweepEvery(Duration pause) {
      if (!pause.isZero()
          && (pause.compareTo(Duration.ofSeconds(1)) < 0
              || pause.compareTo(Duration.ofDays(1)) > 0)) {
        throw new IllegalArgumentException("a sweep every 1 s to 1 day, or none: " + pause);
      }
      this.sweepEvery = pause;
      return this;
    }

    /** Where the plugin counts, for whoever reads it. Default: where nobody looks. */
    public Builder setCounters(HoldfastCounters counters) {
      this.counters = counters;
      return this;
    }

    /**
     * Interfaces whose activities run on other workers: a workflow worker reads their annotations
     * from here. Not needed for activities called through typed stubs.
     */
    public Builder addActivityInterfaces(Class<?>... interfaces) {
      activityInterfaces.addAll(List.of(interfaces));
      return this;
    }

    /**
     * Who finds out whether an effect happened, for an activity implementation that is no {@link
     * Reconciles} itself. A method that declares {@code VERIFIABLE} needs one, one that declares
     * {@code HONOURS_KEY} may have one for the time when the upstream has forgotten the key.
     *
     * <p>The log warns once where activities are registered at a start, on whichever workers of
     * this plugin, and none of them implements that interface: its effects would not be asked
     * about.
     *
     * @param activityInterface the interface whose method it is for
     */
    public Builder addReconciler(Class<?> activityInterface, Reconciles<?> reconciler) {
      reconcilers.add(new RegisteredReconciler(activityInterface, reconciler));
      return this;
    }

    /**
     * Who verifies what an upstream signs, for the methods that demand {@code evidence = ATTESTED}
     * and for {@link #buildDeliveries}. What a {@link Reconciles} answers is of a grade of its own,
     * {@code reconciled}, and is not asked for signatures: one that needs them verifies what it is
     * told.
     *
     * <p>The log warns once where activities are registered at a start, on whichever workers of
     * this plugin, and none of their methods demands what it verifies.
     *
     * @param activityInterface the interface whose upstream it knows
     */
    public Builder addEvidenceVerifier(Class<?> activityInterface, EvidenceVerifier verifier) {
      verifiers.add(new RegisteredVerifier(activityInterface, verifier));
      return this;
    }

    /**
     * What a commit waits for before anybody acts upon it. Matters with synchronous standbys alone.
     * Default: {@link CommitLevel#ON}.
     */
    public Builder setCommitLevel(CommitLevel level) {
      this.ledger = ledger.committing(level);
      return this;
    }

    /**
     * Who hears that evidence was quarantined, for it bears another tuple than its operation is
     * reserved under. Default: the log.
     */
    public Builder setQuarantineListener(QuarantineListener listener) {
      this.ledger = ledger.warning(listener);
      return this;
    }

    /**
     * For what the upstream of these activities signs and sends by itself; opens the ledger at
     * once.
     *
     * @param converter that of the workers, so that what is delivered can be replayed by them
     * @throws IllegalArgumentException the interface has no verifier (see {@link
     *     #addEvidenceVerifier}), or no method whose upstream could send anything
     */
    public AttestedDeliveries buildDeliveries(Class<?> activityInterface, DataConverter converter) {
      return new AttestedDeliveries(
          DeliveryDesk.open(
              JooqLedger.open(dataSource, heard()), activityInterface, settings(), converter));
    }

    /**
     * The plugin; serves any number of workers.
     *
     * @throws IllegalArgumentException options that cannot work together
     */
    public WorkerPlugin build() {
      if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException("a lease lasts at least 1 s: " + lease);
      }
      if (margin.value().multipliedBy(3).compareTo(lease) > 0) {
        throw new IllegalArgumentException(
            "a margin of " + margin.value() + " is more than a third of the lease of " + lease);
      }
      if (waitInPlace.isNegative()) {
        throw new IllegalArgumentException("a negative wait in place: " + waitInPlace);
      }
      HoldfastSettings settings = settings();
      LedgerOptions options = heard();
      // only when the workers start must the database be there
      return new HoldfastPlugin(() -> JooqLedger.open(dataSource, options), settings);
    }

    private LedgerOptions heard() {
      return ledger.heardBy(new CountingListener(counters));
    }

    private HoldfastSettings settings() {
      return new HoldfastSettings(
          ledgerScope,
          lease,
          margin,
          waitInPlace,
          workerName,
          activityInterfaces,
          counters,
          reconcilers,
          verifiers,
          sweepEvery);
    }
  }
}
