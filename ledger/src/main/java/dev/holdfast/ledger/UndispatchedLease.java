package dev.holdfast.ledger;

import java.util.concurrent.atomic.AtomicReference;
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
  private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

  /**
   * Giving back may fail and be asked for again; a dispatch is out of the question from then on.
   */
  private enum Use {
    NONE,
    GIVING_BACK,
    OVER
  }

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
    if (!use.compareAndSet(Use.NONE, Use.OVER)) {
      throw new IllegalStateException("this lease was dispatched or given back already");
    }
    return new Lease(holding, expiry, lastDispatch);
  }

  /**
   * Rules a dispatch out, for ever; false when it was dispatched, or {@link #gaveBack given back}.
   */
  boolean giveBack() {
    return use.compareAndSet(Use.NONE, Use.GIVING_BACK) || use.get() == Use.GIVING_BACK;
  }

  /** Notes that the ledger has it back. */
  void gaveBack() {
    use.set(Use.OVER);
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
