package dev.holdfast.activities.internal;

import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of the barrier: one line for each transition, with the operation (whose key shows as its
 * digest), the fencing token and the outcome. Never a payload. The plain path is at debug level.
 */
final class Transitions {
  private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.transitions");

  private Transitions() {}

  static void claimed(FencedRequest request, Claim claim) {
    if (claim instanceof Claim.Granted(var lease)) {
      LOG.debug("claim {} token={} outcome=granted", operation(lease), lease.token());
    } else if (claim instanceof Claim.Reconcile(var lease, var open)) {
      LOG.info(
          "claim {} token={} outcome=reconcile open={}",
          operation(lease),
          lease.token(),
          open.size());
    } else if (claim instanceof Claim.Replay || claim instanceof Claim.Busy) {
      LOG.debug("claim {} outcome={}", request.reservation().operation(), word(claim));
    } else {
      LOG.info("claim {} outcome={}", request.reservation().operation(), word(claim));
    }
  }

  static void notClaimed(FencedRequest request, RuntimeException e) {
    LOG.warn("claim {} outcome=unavailable", request.reservation().operation(), e);
  }

  static void unavailableAfterEffect(HeldLease lease, RuntimeException e) {
    LOG.warn("settle {} token={} outcome=unavailable", operation(lease), lease.token(), e);
  }

  static void dispatched(HeldLease lease) {
    LOG.debug("dispatch {} token={}", operation(lease), lease.token());
  }

  static void settled(HeldLease lease, SettleOutcome outcome) {
    if (outcome instanceof SettleOutcome.Committed(Receipt receipt, var permit)) {
      LOG.debug(
          "settle {} token={} outcome=committed receipt={} margin={}",
          operation(lease),
          lease.token(),
          receipt.completion().receipt(),
          receipt.marginLeft());
    } else {
      LOG.warn("settle {} token={} outcome={}", operation(lease), lease.token(), word(outcome));
    }
  }

  static void ended(HeldLease lease, AttemptEnd end, EndOutcome outcome) {
    LOG.info(
        "end {} token={} as={} outcome={}",
        operation(lease),
        lease.token(),
        word(end),
        word(outcome));
  }

  /** The attempt stays as it is: its lease runs out, and the next claim finds it open. */
  static void notEnded(HeldLease lease, AttemptEnd end, RuntimeException e) {
    LOG.warn(
        "end {} token={} as={} outcome=unavailable", operation(lease), lease.token(), word(end), e);
  }

  static void abandoned(HeldLease lease, AbandonOutcome outcome) {
    LOG.info("abandon {} token={} outcome={}", operation(lease), lease.token(), outcome);
  }

  static void reconciled(HeldLease lease, ReconcileOutcome outcome) {
    LOG.info("reconcile {} token={} outcome={}", operation(lease), lease.token(), word(outcome));
  }

  /** Its type alone: what an author's code throws may quote keys and what the upstream sent. */
  static void questionFailed(HeldLease lease, Throwable thrown) {
    LOG.warn(
        "ask {} token={} outcome=threw type={}",
        operation(lease),
        lease.token(),
        thrown.getClass().getName());
  }

  static void notAbandoned(HeldLease lease, RuntimeException e) {
    LOG.warn("abandon {} token={} outcome=unavailable", operation(lease), lease.token(), e);
  }

  static void released(Receipt receipt, ReleaseOutcome outcome) {
    if (outcome instanceof ReleaseOutcome.Released) {
      LOG.debug(
          "release {} token={} outcome=released",
          receipt.completion().operation(),
          receipt.token());
    } else {
      LOG.warn(
          "release {} token={} outcome={}",
          receipt.completion().operation(),
          receipt.token(),
          word(outcome));
    }
  }

  static void lost(HeldLease lease) {
    LOG.warn("lease {} token={} outcome=lost", operation(lease), lease.token());
  }

  static void renewalFailed(int leases, Throwable e) {
    LOG.warn("renew leases={} outcome=unavailable", leases, e);
  }

  /** Its type alone: details that a codec cannot read may be quoted in it. */
  static void heartbeatFailed(Throwable e) {
    LOG.debug("heartbeat outcome=unavailable: {}", e.getClass().getName());
  }

  /** At debug level: whoever can send messages must not fill the log. */
  static void notKept(Refusal reason, RuntimeException e) {
    LOG.debug("delivery refused={} outcome=not_kept", reason.word(), e);
  }

  /** Said once for an outage. */
  static void sweepFailed(Throwable e) {
    LOG.warn("sweep outcome=unavailable: tried again, without a word, until it succeeds", e);
  }

  static void sweptAgain(int missed) {
    LOG.info("sweep outcome=available missed={}", missed);
  }

  /** Its type alone: what a user's callback throws may quote anything. */
  static void asideFailed(RuntimeException e) {
    LOG.warn(
        "aside outcome=unavailable: a lease that is not released runs out: {}",
        e.getClass().getName());
  }

  static void keyNotSent(HeldLease lease) {
    LOG.error(
        "dispatch {} token={} outcome=key_not_sent: the upstream cannot have honoured a key that"
            + " the activity never read",
        operation(lease),
        lease.token());
  }

  private static Object operation(HeldLease lease) {
    return lease.reservation().operation();
  }

  /** The name of the case alone: its components may hold more than a log may show. */
  private static String word(Object outcome) {
    return outcome.getClass().getSimpleName();
  }
}
