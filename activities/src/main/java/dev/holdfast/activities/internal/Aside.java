package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.ReleasePermit;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does off the callers' path what nobody waits for: releases, lease-lost callbacks. What gets lost
 * here costs time only: a lease that is not released runs out.
 */
final class Aside {
  private static final long IDLE_SECONDS = 10;

  private final Ledger ledger;
  private final ThreadPoolExecutor threads;
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

  /** Gives up the lease of a committed receipt, soon. */
  void release(ReleasePermit permit) {
    run(threads, () -> Transitions.released(permit.receipt(), ledger.release(permit)));
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
