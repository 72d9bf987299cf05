package dev.holdfast.ledger;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A lease under which nothing was dispatched: the only kind that can be given back without a
 * receipt ({@link Ledger#abandon}), and the only way to a {@link Lease}. Safe for use by several
 * threads.
 */
public final class UndispatchedLease implements HeldLease {
  private final Holding holding;
  private final LocalExpiry expiry;
  private final @Nullable LocalDeadline lastDispatch;
  private final AtomicBoolean dispatched = new AtomicBoolean();

  UndispatchedLease(Holding holding, LocalExpiry expiry, @Nullable LocalDeadline lastDispatch) {
    this.holding = holding;
    this.expiry = expiry;
    this.lastDispatch = lastDispatch;
  }

  /**
   * Passes the point of no return: from now on the effect may have happened.
   *
   * @throws IllegalStateException when it was passed, or the lease was given back
   */
  public Lease dispatch() {
    if (!dispatched.compareAndSet(false, true)) {
      throw new IllegalStateException("this lease was dispatched or given back already");
    }
    return new Lease(holding, expiry, lastDispatch);
  }

  /**
   * Ends this lease's use without a dispatch; false when it was dispatched or given back already.
   */
  boolean giveBack() {
    return dispatched.compareAndSet(false, true);
  }

  @Override
  public LocalDeadline expiry() {
    return expiry.current();
  }

  void prolong(LocalDeadline renewed) {
    expiry.prolong(renewed);
  }

  /**
   * The last moment at which the upstream surely still knows the key; null where that has no bound.
   */
  public @Nullable LocalDeadline lastDispatch() {
    return lastDispatch;
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
