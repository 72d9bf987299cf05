package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.ReleasePermit;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Does off the callers' path what nobody waits for: releases, lease-lost callbacks. What gets lost
 * here costs time only: a lease that is not released runs out.
 */
final class Aside {
  private static final long IDLE_SECONDS = 10;
  private static final Duration POLL = Duration.ofMillis(2);

  private final Ledger ledger;
  private final ThreadPoolExecutor threads;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean stopping;
  private final ExecutorService users = Executors.newCachedThreadPool(daemons("holdfast-lost"));

  Aside(Ledger ledger) {
    this.ledger = ledger;
    this.threads =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("holdfast-release"));
    threads.allowCoreThreadTimeOut(true);
  }

  /** Gives up the lease of a committed receipt: soon, and at once where the workers stop. */
  void release(ReleasePermit permit) {
    Runnable releasing = () -> released(permit);
    if (stopping) {
      run(Runnable::run, releasing);
      return;
    }
    underWay.incrementAndGet();
    run(
        threads,
        () -> {
          try {
            releasing.run();
          } finally {
            underWay.decrementAndGet();
          }
        });
  }

  private void released(ReleasePermit permit) {
    Transitions.released(permit.receipt(), Interrupts.despite(() -> ledger.release(permit)));
  }

  /**
   * Whether the workers stop: from then on a release is part of its activity, so that whoever waits
   * for the activities and then ends the process leaves no lease behind.
   */
  void stopping(boolean now) {
    stopping = now;
  }

  /** Returns when the releases that were put off are done, or after that time. */
  void awaitReleases(Duration atMost) {
    LocalDeadline end = LocalDeadline.after(System.nanoTime(), atMost);
    while (underWay.get() > 0 && !end.isPast()) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Runs what a user wants to hear, apart, because it may take its time; a throw is logged. */
  void tell(Runnable callback) {
    run(users, callback);
  }

  private static void run(Executor threads, Runnable work) {
    threads.execute(
        () -> {
          try {
            work.run();
          } catch (RuntimeException e) {
            Transitions.asideFailed(e);
          }
        });
  }

  static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
