package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A lease under which a dispatch was begun. It ends by a committed receipt and its permit, by a
 * recorded end of the attempt, or by the clock; it cannot be given back.
 */
public final class Lease implements HeldLease {
  private final Holding holding;
  private final LocalExpiry expiry;
  private final @Nullable LocalDeadline lastDispatch;

  Lease(Holding holding, LocalExpiry expiry, @Nullable LocalDeadline lastDispatch) {
    this.holding = holding;
    this.expiry = expiry;
    this.lastDispatch = lastDispatch;
  }

  /** The revision the claim left; every settlement compares it. */
  public Revision revision() {
    return holding.revision();
  }

  /** What must remain of the lease when the receipt is committed. */
  public LeaseMargin margin() {
    return holding.margin();
  }

  /** What the upstream's contract allows while its attempt is open. */
  public OpenAttemptRule rule() {
    return holding.rule();
  }

  /** What happens where two verified truths disagree. */
  public SettlementPolicy policy() {
    return holding.policy();
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
