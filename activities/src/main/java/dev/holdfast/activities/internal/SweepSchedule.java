package dev.holdfast.activities.internal;

import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.Sweeper.Swept;
import dev.holdfast.ledger.Sweeper.Terms;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps the ledger now and then while a worker runs, one bounded batch at a time, so that what
 * nobody asks for again is looked after too. Each pause is between half and one and a half of what
 * was set: workers that were started together do not sweep together. Safe for use by many threads.
 */
final class SweepSchedule {
  /** For effects that take longer than a lease; bounds what a run reads. */
  private static final Duration LONG_EFFECT = Duration.ofHours(1);

  /** How much sooner the next run comes where a batch was full. */
  private static final int SOONER = 10;

  private final Sweeper sweeper;
  private final Terms terms;
  private final Duration leastLookBack;
  private final Duration every;
  private final HoldfastCounters counters;
  private final Function<String, ThreadFactory> threads;
  private final Set<Object> owners = Collections.newSetFromMap(new IdentityHashMap<>());
  private final AtomicInteger missed = new AtomicInteger();

  /** By {@link System#nanoTime}; none until everything was looked at once. */
  private final AtomicReference<@Nullable Long> sweptAt = new AtomicReference<>();

  private @Nullable ScheduledThreadPoolExecutor clock;

  /**
   * @param threads makes the threads of a name
   */
  SweepSchedule(
      Sweeper sweeper, HoldfastSettings settings, Function<String, ThreadFactory> threads) {
    this.sweeper = sweeper;
    this.terms = Terms.standard(settings.worker());
    this.leastLookBack = LONG_EFFECT.plus(settings.leaseFor());
    this.every = settings.sweepEvery();
    this.counters = settings.counters();
    this.threads = threads;
  }

  /** Sweeps from now on, if it shall at all, until the last of its owners stops it. */
  synchronized void start(Object owner) {
    if (every.isZero()) {
      return;
    }
    owners.add(owner);
    if (clock == null) {
      ScheduledThreadPoolExecutor own =
          new ScheduledThreadPoolExecutor(1, threads.apply("holdfast-sweeper"));
      own.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      clock = own;
      runAfter(every, own);
    }
  }

  /** A batch under way ends by itself; its thread goes with it. */
  synchronized void stop(Object owner) {
    owners.remove(owner);
    if (owners.isEmpty() && clock != null) {
      clock.shutdown();
      clock = null;
    }
  }

  private void runAfter(Duration pause, ScheduledThreadPoolExecutor on) {
    long nanos = pause.toNanos();
    long spread = ThreadLocalRandom.current().nextLong(nanos / 2, nanos / 2 + nanos);
    synchronized (this) {
      // what is stopped takes no more work
      if (on.equals(clock)) {
        var unused = on.schedule(() -> run(on), spread, TimeUnit.NANOSECONDS);
      }
    }
  }

  private void run(ScheduledThreadPoolExecutor on) {
    Duration pause = every;
    try {
      if (sweep().isFull()) {
        pause = every.dividedBy(SOONER);
      }
    } catch (Throwable e) {
      failed(on, e);
    } finally {
      runAfter(pause, on);
    }
  }

  private Swept sweep() {
    long began = System.nanoTime();
    Swept swept = sweeper.sweep(terms(began));
    counters.countSwept(swept.demoted(), swept.settled());
    if (!swept.isFull()) {
      sweptAt.set(began);
    }
    int failed = missed.getAndSet(0);
    if (failed > 0) {
      Transitions.sweptAgain(failed);
    }
    return swept;
  }

  /** All that the ledger looks at by its own terms at first, then what is new since the last. */
  private Terms terms(long now) {
    Long last = sweptAt.get();
    if (last == null) {
      return terms;
    }
    Duration since = leastLookBack.plusNanos(now - last);
    return since.compareTo(terms.lookBack()) < 0 ? terms.lookingBack(since) : terms;
  }

  /** One line for an outage, however many runs it costs. */
  private void failed(ScheduledThreadPoolExecutor on, Throwable e) {
    // the worker's pool may be closed by then
    if (on.isShutdown()) {
      return;
    }
    counters.countFailedSweep();
    if (missed.getAndIncrement() == 0) {
      Transitions.sweepFailed(e);
    }
  }
}
