package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.PreUnlockGate;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.VerifiedResponse;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes leases and permits, from what a committed statement answered and from nothing else. */
final class Mint extends Issuer {
  private Mint() {}

  /**
   * The lease of a grant.
   *
   * @param sent this process's clock before the claim was sent: no later than the database's
   *     reading
   */
  static UndispatchedLease lease(ClaimRequest request, ClaimAnswer.Grant grant, long sent) {
    return lease(
        request,
        grant.epoch(),
        grant.revision(),
        grant.token(),
        LocalDeadline.after(sent, request.leaseFor()),
        lastDispatch(request, grant, sent));
  }

  /**
   * The lease of a grant that must find out first. A dispatch that follows has a key's whole life:
   * what was sent before did not happen.
   */
  static ReconcilingLease reconcilingLease(
      ClaimRequest request, ClaimAnswer.Grant grant, long sent, List<OpenAttempt> open) {
    return reconciling(
        request,
        grant.epoch(),
        grant.revision(),
        grant.token(),
        LocalDeadline.after(sent, request.leaseFor()),
        request.rule() instanceof OpenAttemptRule.SameKeyAgain again
            ? LocalDeadline.after(sent, again.usable())
            : null,
        open);
  }

  static List<OpenAttempt> openOf(ReconcilingLease lease) {
    return open(lease);
  }

  static Lease settlingOf(ReconcilingLease lease) {
    return settling(lease);
  }

  static UndispatchedLease dispatchOf(ReconcilingLease lease, Revision revision) {
    return mayDispatch(lease, revision);
  }

  static Optional<UndispatchedLease> dispatching(ReconcilingLease lease) {
    return became(lease);
  }

  static <T> T alone(ReconcilingLease lease, Supplier<T> report) {
    return reporting(lease, report);
  }

  private static @Nullable LocalDeadline lastDispatch(
      ClaimRequest request, ClaimAnswer.Grant grant, long sent) {
    return switch (request.rule()) {
      case OpenAttemptRule.RolledBack unbounded -> null;
      case OpenAttemptRule.Unsure unbounded -> null;
      case OpenAttemptRule.SameKeyAgain again -> LocalDeadline.after(sent, grant.keyLeft());
    };
  }

  static void renewed(HeldLease lease, LocalDeadline expiry) {
    prolong(lease, expiry);
  }

  static ReleasePermit permitOf(Lease lease, Receipt receipt, long sent) {
    return permit(lease, receipt, sent);
  }

  /**
   * The permit of a receipt that was read back.
   *
   * @param sent before the first of the requests that may have committed it
   */
  static ReleasePermit readBack(Lease lease, Receipt receipt, long sent) {
    return permitReadBack(lease, receipt, sent);
  }

  static boolean wasReadBack(ReleasePermit permit) {
    return isReadBack(permit);
  }

  /** A stored response, as it was verified before. */
  static VerifiedResponse response(
      int status, Sha256 digest, EffectId effect, EvidenceGrade grade) {
    return stored(status, digest, effect, grade);
  }

  static PreUnlockGate.Decision decision(ReleasePermit permit) {
    return authorise(permit);
  }

  static LeaseMargin marginOf(ReleasePermit permit) {
    return margin(permit);
  }

  static boolean mayGiveBack(UndispatchedLease lease) {
    return giveBack(lease);
  }

  static void givenBack(UndispatchedLease lease) {
    gaveBack(lease);
  }
}
