package dev.holdfast.ledger;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease whose holder must find out first what became of earlier attempts. {@link
 * Ledger#reconcile} ends it, or makes it the {@link UndispatchedLease} of the same claim; a renewal
 * of the one is the other's too. Safe for use by several threads.
 */
public final class ReconcilingLease implements HeldLease {
  private final Holding holding;
  private final LocalExpiry expiry;
  private final @Nullable LocalDeadline lastDispatch;
  private final List<OpenAttempt> open;
  private final AtomicReference<@Nullable UndispatchedLease> dispatching = new AtomicReference<>();
  private final Lock reporting = new ReentrantLock();

  ReconcilingLease(
      Holding holding,
      LocalExpiry expiry,
      @Nullable LocalDeadline lastDispatch,
      List<OpenAttempt> open) {
    this.holding = holding;
    this.expiry = expiry;
    this.lastDispatch = lastDispatch;
    this.open = List.copyOf(open);
  }

  /** What is to be found out about, oldest claim first. */
  List<OpenAttempt> open() {
    return open;
  }

  /** What must remain of the lease when a receipt is committed under it. */
  public LeaseMargin margin() {
    return holding.margin();
  }

  /** For the settlement of what was found; nothing is dispatched under it. */
  Lease settling() {
    return new Lease(holding, expiry, null);
  }

  /** The one lease that it becomes, whoever asks and however often. */
  UndispatchedLease mayDispatch(Revision revision) {
    UndispatchedLease fresh = new UndispatchedLease(holding.at(revision), expiry, lastDispatch);
    return dispatching.compareAndSet(null, fresh) ? fresh : became().orElse(fresh);
  }

  /**
   * Lets one thread at a time report what it found: once a report has made it a lease that may
   * dispatch, another one must see that, and not give back what is dispatching.
   */
  <T> T reporting(Supplier<T> report) {
    reporting.lock();
    try {
      return report.get();
    } finally {
      reporting.unlock();
    }
  }

  /** What it has become; empty where it only asks still. */
  Optional<UndispatchedLease> became() {
    return Optional.ofNullable(dispatching.get());
  }

  @Override
  public LocalDeadline expiry() {
    return expiry.current();
  }

  void prolong(LocalDeadline renewed) {
    expiry.prolong(renewed);
  }

  @Override
  public Reservation reservation() {
    return holding.reservation();
  }

  @Override
  public Epoch epoch() {
    return holding.epoch();
  }

  @Override
  public FencingToken token() {
    return holding.token();
  }

  @Override
  public ClaimId claimId() {
    return holding.claimId();
  }
}
