package dev.holdfast.activities.internal;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Renews the leases of a worker while their effects run: all of them in one statement, three times
 * a lease. Its threads belong to no activity and to no worker: they live as long as there is a
 * lease to keep, so that they are the last to stop, and go by themselves afterwards. One watches
 * the clock, the other one asks the ledger: a ledger that does not answer, or a pool that has no
 * connection, keeps nobody from hearing that a lease ran out.
 */
final class LeaseKeeper {
  private static final int TICKS_PER_LEASE = 3;
  private static final long IDLE_SECONDS = 10;

  private final Ledger ledger;
  private final HoldfastSettings settings;
  private final Aside aside;
  private final Set<KeptLease> kept = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor clock;
  private final ThreadPoolExecutor renewals;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private boolean ticking;

  /**
   * @param aside runs what the effects want to hear about lost leases
   */
  LeaseKeeper(Ledger ledger, HoldfastSettings settings, Aside aside) {
    this(ledger, settings, aside, Aside::daemons);
  }

  /**
   * @param threads makes the threads of a name
   */
  LeaseKeeper(
      Ledger ledger,
      HoldfastSettings settings,
      Aside aside,
      Function<String, ThreadFactory> threads) {
    this.ledger = ledger;
    this.settings = settings;
    this.aside = aside;
    this.clock = new ScheduledThreadPoolExecutor(1, threads.apply("holdfast-keeper"));
    clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    clock.allowCoreThreadTimeOut(true);
    this.renewals =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads.apply("holdfast-renewals"));
    renewals.allowCoreThreadTimeOut(true);
  }

  /**
   * Keeps this lease until it is forgotten, but no longer than its attempt may hold it.
   *
   * @param attemptEnds when Temporal gives the attempt up
   */
  KeptLease keep(HeldLease lease, LocalDeadline holdUntil, LocalDeadline attemptEnds) {
    KeptLease added = new KeptLease(lease, settings.margin(), holdUntil, attemptEnds);
    kept.add(added);
    startTicking();
    return added;
  }

  void forget(KeptLease lease) {
    kept.remove(lease);
  }

  /** Renews one lease now, on the caller's thread; whether it was renewed. */
  boolean renewNow(KeptLease lease) {
    HeldLease held = lease.lease();
    return ledger.renew(List.of(held), settings.leaseFor()).contains(held.claimId());
  }

  private synchronized void startTicking() {
    if (!ticking) {
      ticking = true;
      try {
        scheduleTick();
      } catch (Error e) {
        // no thread could be made; the next lease tries again, meanwhile each runs out by its clock
        clock.getQueue().clear();
        ticking = false;
        Transitions.renewalFailed(kept.size(), e);
      }
    }
  }

  private synchronized void tickAgain() {
    ticking = !kept.isEmpty();
    if (ticking) {
      scheduleTick();
    }
  }

  private void scheduleTick() {
    long tick = settings.leaseFor().dividedBy(TICKS_PER_LEASE).toMillis();
    var unused = clock.schedule(this::tick, tick, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      kept.forEach(lease -> tell(lease.checkExpiry()));
      if (renewing.compareAndSet(false, true)) {
        startRenewing();
      }
    } finally {
      tickAgain();
    }
  }

  private void startRenewing() {
    try {
      renewals.execute(this::renewAll);
    } catch (Throwable e) {
      // no thread could be made: the next tick tries again
      renewing.set(false);
      Transitions.renewalFailed(kept.size(), e);
    }
  }

  private void renewAll() {
    try {
      renewDue();
    } catch (Throwable e) {
      // the next tick tries again; meanwhile each lease runs out by its own clock
      Transitions.renewalFailed(kept.size(), e);
    } finally {
      renewing.set(false);
    }
  }

  private void renewDue() {
    List<KeptLease> due = kept.stream().filter(KeptLease::mayBeRenewed).toList();
    Set<ClaimId> renewed = renew(due.stream().map(KeptLease::lease).toList());
    for (KeptLease lease : due) {
      if (renewed.contains(lease.lease().claimId())) {
        lease.renewed();
      } else if (kept.contains(lease)) {
        tell(lease.missed());
      }
    }
  }

  private Set<ClaimId> renew(List<HeldLease> leases) {
    return leases.isEmpty() ? Set.of() : ledger.renew(leases, settings.leaseFor());
  }

  private void tell(List<Runnable> callbacks) {
    callbacks.forEach(aside::tell);
  }
}
