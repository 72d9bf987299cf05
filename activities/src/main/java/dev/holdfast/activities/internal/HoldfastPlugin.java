package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.workflows.internal.FencedWorkflowInterceptor;
import dev.holdfast.workflows.internal.LeaseTimes;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.WorkerPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one object that a worker registers. It adds the interceptors as the outermost ones, checks
 * the registered activities and opens the ledger before the first worker polls.
 */
public final class HoldfastPlugin implements WorkerPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(HoldfastPlugin.class);
  private static final String NAME = "dev.holdfast";

  /** Milliseconds as a rule; what a ledger out of reach cannot be told runs out by itself. */
  private static final Duration LAST_RELEASES = Duration.ofSeconds(1);

  private final Supplier<Ledger> opening;
  private final HoldfastSettings settings;
  private final Registrations registrations;
  private final FencedActivityInterceptor activities;
  private final FencedWorkflowInterceptor workflows;
  private final Waiters waiters = new Waiters();
  private final Set<WorkerFactory> running = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable Barrier barrier;

  /**
   * @param opening opens the ledger, or says why it cannot be used
   */
  public HoldfastPlugin(Supplier<Ledger> opening, HoldfastSettings settings) {
    this.opening = opening;
    this.settings = settings;
    this.activities = new FencedActivityInterceptor(this::barrier, settings);
    this.registrations =
        new Registrations(
            activities,
            new LedgerLookupActivity(this::barrier),
            new BindingLookupActivity(this::barrier));
    this.workflows =
        new FencedWorkflowInterceptor(
            settings.ledgerScope(),
            settings.activityInterfaces(),
            registrations::classes,
            new LeaseTimes(settings.leaseFor(), settings.waitInPlace()));
  }

  @Override
  public String getName() {
    return NAME;
  }

  /** A second plugin of the same factory adds nothing: one barrier is around each activity. */
  @Override
  public void configureWorkerFactory(WorkerFactoryOptions.Builder builder) {
    WorkerInterceptor[] set = builder.build().getWorkerInterceptors();
    List<WorkerInterceptor> inner = set == null ? List.of() : List.of(set);
    if (inner.stream().anyMatch(FencedActivityInterceptor.class::isInstance)) {
      LOG.warn("Two Holdfast plugins on one worker factory: the first one protects its activities");
      return;
    }
    List<WorkerInterceptor> all = new ArrayList<>(inner);
    // the last one is the outermost
    all.add(workflows);
    all.add(activities);
    builder.setWorkerInterceptors(all.toArray(WorkerInterceptor[]::new));
  }

  @Override
  public void configureWorker(String taskQueue, WorkerOptions.Builder builder) {
    builder.setAllowActivityHeartbeatDuringShutdown(true);
    waiters.serve(builder.build().getMaxConcurrentActivityExecutionSize());
  }

  @Override
  public void initializeWorker(String taskQueue, Worker worker) {
    registrations.watch(worker);
  }

  @Override
  public void startWorkerFactory(WorkerFactory factory, Consumer<WorkerFactory> next) {
    registrations.checkAll();
    Barrier open = barrier();
    synchronized (running) {
      running.add(factory);
      open.aside().stopping(false);
    }
    next.accept(factory);
    open.sweeps().start(factory);
  }

  @Override
  public void startWorker(String taskQueue, Worker worker, BiConsumer<String, Worker> next) {
    next.accept(taskQueue, worker);
  }

  @Override
  public void shutdownWorker(String taskQueue, Worker worker, BiConsumer<String, Worker> next) {
    next.accept(taskQueue, worker);
  }

  /**
   * Once the last factory of this plugin stops, nothing is swept any more, and leases are released
   * before their activities return. The keeper goes by itself when no activity holds a lease.
   */
  @Override
  public void shutdownWorkerFactory(WorkerFactory factory, Consumer<WorkerFactory> next) {
    opened().map(Barrier::sweeps).ifPresent(sweeps -> sweeps.stop(factory));
    Optional<Aside> aside = opened().map(Barrier::aside);
    synchronized (running) {
      running.remove(factory);
      boolean last = running.isEmpty();
      aside.ifPresent(releases -> releases.stopping(last));
    }
    next.accept(factory);
    aside.ifPresent(releases -> releases.awaitReleases(LAST_RELEASES));
  }

  @Override
  public void replayWorkflowExecution(
      Worker worker, WorkflowExecutionHistory history, ReplayCallback next) throws Exception {
    next.replay(worker, history);
  }

  /** Empty where no worker was started. */
  private synchronized Optional<Barrier> opened() {
    return Optional.ofNullable(barrier);
  }

  private synchronized Barrier barrier() {
    Barrier open = barrier;
    if (open == null) {
      open = Barrier.over(opening.get(), settings, waiters);
      barrier = open;
    }
    return open;
  }
}
