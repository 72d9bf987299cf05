package dev.holdfast.activities.internal;

import dev.holdfast.workflows.internal.BindingLookup;
import dev.holdfast.workflows.internal.FencedMethods;
import dev.holdfast.workflows.internal.LedgerLookup;
import io.temporal.worker.HoldfastBridge;
import io.temporal.worker.TypeAlreadyRegisteredException;
import io.temporal.worker.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that a plugin serves, and what is registered on them. Where the SDK changed so much
 * that the bridge does not link, each activity is checked at its first call instead.
 */
final class Registrations {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final FencedActivityInterceptor interceptor;
  private final LedgerLookup lookup;
  private final BindingLookup bindings;
  private final Map<Worker, Boolean> workers = new WeakHashMap<>();
  private final Set<String> idle = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean warned = new AtomicBoolean();

  Registrations(
      FencedActivityInterceptor interceptor, LedgerLookup lookup, BindingLookup bindings) {
    this.interceptor = interceptor;
    this.lookup = lookup;
    this.bindings = bindings;
  }

  synchronized void watch(Worker worker) {
    workers.put(worker, true);
  }

  private synchronized List<Worker> all() {
    return List.copyOf(workers.keySet());
  }

  /**
   * Checks every registered activity and registers the look-ups, on all workers.
   *
   * @throws IllegalStateException a fenced method cannot be protected; names it and the cure
   */
  void checkAll() {
    List<Object> registered = new ArrayList<>();
    for (Worker worker : all()) {
      registered.addAll(activities(worker));
      register(worker, LedgerLookup.TYPE, lookup);
      register(worker, BindingLookup.TYPE, bindings);
    }
    registered.removeIf(
        activity -> activity instanceof LedgerLookup || activity instanceof BindingLookup);
    registered.forEach(this::check);
    // a plugin of workflows alone may be given the same settings
    if (!registered.isEmpty()) {
      interceptor.idle(registered).forEach(this::warnOfIdle);
    }
  }

  /** The implementation classes registered on all workers. */
  Collection<Class<?>> classes() {
    List<Class<?>> classes = new ArrayList<>();
    all()
        .forEach(
            worker ->
                activities(worker)
                    .forEach(activity -> classes.add(FencedMethods.classOf(activity))));
    return classes;
  }

  private void check(Object activity) {
    try {
      var unused = interceptor.checked(activity);
      warnOfHidden(activity);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("this worker cannot start: " + e.getMessage(), e);
    }
  }

  private List<Object> activities(Worker worker) {
    try {
      return HoldfastBridge.registeredActivities(worker);
    } catch (ReflectiveOperationException | LinkageError e) {
      warnOnce(e);
      return List.of();
    }
  }

  private void register(Worker worker, String type, Object local) {
    try {
      HoldfastBridge.registerLocally(worker, type, local);
    } catch (ReflectiveOperationException | LinkageError e) {
      warnOnce(e);
      registerPlainly(worker, local);
    }
  }

  /** Once, however many plugins there are. */
  static void registerPlainly(Worker worker, Object lookup) {
    try {
      worker.registerActivitiesImplementations(lookup);
    } catch (TypeAlreadyRegisteredException e) {
      LOG.debug("The look-up is there already: {}", e.getMessage());
    }
  }

  /** No refusal: most activities behind such a proxy have nothing to protect. */
  private static void warnOfHidden(Object activity) {
    if (FencedMethods.mayHideFenced(activity)) {
      LOG.warn(
          "Activities {} are registered as a proxy that does not tell its class: a @Fenced on a"
              + " method of that class goes unseen; put it on the interface's method",
          Arrays.toString(activity.getClass().getInterfaces()));
    }
  }

  /** No refusal: another worker factory of the same plugin may be created later. */
  private void warnOfIdle(String idler) {
    if (idle.add(idler)) {
      LOG.warn("{}", idler);
    }
  }

  private void warnOnce(Throwable e) {
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "This version of the Temporal SDK is not known to Holdfast ({}): fenced activities are"
              + " checked at their first call instead of at the start, and workers that run"
              + " workflows only must set WorkerOptions.setLocalActivityWorkerOnly(true)",
          e.toString());
    }
  }
}
