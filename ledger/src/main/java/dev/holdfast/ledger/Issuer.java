package dev.holdfast.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Issues the values that only a committed row may yield. To extend it is to claim to be a ledger;
 * the one in this module does, and callers have no reason to.
 */
public abstract class Issuer {
  /** For the ledger's own implementation. */
  protected Issuer() {}

  /** The lease that a committed claim granted. */
  protected static UndispatchedLease lease(
      ClaimRequest request,
      Epoch epoch,
      Revision revision,
      FencingToken token,
      LocalDeadline expiry,
      @Nullable LocalDeadline lastDispatch) {
    Holding holding =
        new Holding(
            request.reservation(),
            epoch,
            revision,
            token,
            request.claimId(),
            request.margin(),
            request.policy());
    return new UndispatchedLease(holding, expiry, lastDispatch);
  }

  /** The permit that a committed receipt yields. */
  protected static ReleasePermit permit(
      Receipt receipt, LocalDeadline expiry, long judgedNanoTime) {
    return new ReleasePermit(receipt, expiry, judgedNanoTime);
  }

  /** Ends an undispatched lease's use; false when it was dispatched or given back already. */
  protected static boolean giveBack(UndispatchedLease lease) {
    return lease.giveBack();
  }

  /** A stored success, as verified when it was stored. */
  protected static VerifiedResponse stored(
      int status, Sha256 digest, EffectId effect, EvidenceGrade grade) {
    return new VerifiedResponse(status, digest, effect, grade);
  }
}
