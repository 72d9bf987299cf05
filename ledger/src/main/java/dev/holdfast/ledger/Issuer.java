package dev.holdfast.ledger;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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
    Holding holding = holding(request, epoch, revision, token);
    return new UndispatchedLease(holding, new LocalExpiry(expiry), lastDispatch);
  }

  /**
   * The lease of a committed claim that must find out first.
   *
   * @param lastDispatch of the dispatch that may follow
   * @param open what is to be found out about
   */
  protected static ReconcilingLease reconciling(
      ClaimRequest request,
      Epoch epoch,
      Revision revision,
      FencingToken token,
      LocalDeadline expiry,
      @Nullable LocalDeadline lastDispatch,
      List<OpenAttempt> open) {
    Holding holding = holding(request, epoch, revision, token);
    return new ReconcilingLease(holding, new LocalExpiry(expiry), lastDispatch, open);
  }

  private static Holding holding(
      ClaimRequest request, Epoch epoch, Revision revision, FencingToken token) {
    return new Holding(
        request.reservation(),
        epoch,
        revision,
        token,
        request.claimId(),
        request.margin(),
        request.rule(),
        request.policy());
  }

  /** What a reconciling lease was to find out about. */
  protected static List<OpenAttempt> open(ReconcilingLease lease) {
    return lease.open();
  }

  /** The lease under which what was found is settled. */
  protected static Lease settling(ReconcilingLease lease) {
    return lease.settling();
  }

  /**
   * The lease that may dispatch, after a committed "it did not happen".
   *
   * @param revision as that commit left it
   */
  protected static UndispatchedLease mayDispatch(ReconcilingLease lease, Revision revision) {
    return lease.mayDispatch(revision);
  }

  /** Lets one report about a lease that asks happen at a time. */
  protected static <T> T reporting(ReconcilingLease lease, Supplier<T> report) {
    return lease.reporting(report);
  }

  /** The lease that it has become; empty where it only asks still. */
  protected static Optional<UndispatchedLease> became(ReconcilingLease lease) {
    return lease.became();
  }

  /** Notes a renewal that was committed. */
  protected static void prolong(HeldLease lease, LocalDeadline expiry) {
    switch (lease) {
      case UndispatchedLease undispatched -> undispatched.prolong(expiry);
      case ReconcilingLease asking -> asking.prolong(expiry);
      case Lease dispatched -> dispatched.prolong(expiry);
    }
  }

  /**
   * The permit that a committed receipt yields.
   *
   * @param judgedNanoTime this process's clock no later than the database judged the lease
   */
  protected static ReleasePermit permit(Lease lease, Receipt receipt, long judgedNanoTime) {
    return new ReleasePermit(receipt, lease.margin(), lease.expiry(), judgedNanoTime, false);
  }

  /** The permit of a receipt whose commit was never answered, and which was found afterwards. */
  protected static ReleasePermit permitReadBack(Lease lease, Receipt receipt, long judgedNanoTime) {
    return new ReleasePermit(receipt, lease.margin(), lease.expiry(), judgedNanoTime, true);
  }

  /** Whether the receipt was found after its answer was lost. */
  protected static boolean isReadBack(ReleasePermit permit) {
    return permit.isReadBack();
  }

  /** The last look before the lease is given up. */
  protected static PreUnlockGate.Decision authorise(ReleasePermit permit) {
    return permit.authorise();
  }

  /** What must remain of the lease when it is given up. */
  protected static LeaseMargin margin(ReleasePermit permit) {
    return permit.margin();
  }

  /**
   * Rules the dispatch of a lease out, before it is given back; false when it was dispatched or
   * given back already.
   */
  protected static boolean giveBack(UndispatchedLease lease) {
    return lease.giveBack();
  }

  /** Notes that a lease was given back: not once more. */
  protected static void gaveBack(UndispatchedLease lease) {
    lease.gaveBack();
  }

  /** A stored success, as verified when it was stored. */
  protected static VerifiedResponse stored(
      int status, Sha256 digest, EffectId effect, EvidenceGrade grade) {
    return new VerifiedResponse(status, digest, effect, grade, null);
  }
}
