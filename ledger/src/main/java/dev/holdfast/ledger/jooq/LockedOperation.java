package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.settlement.LeaseStanding;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose row this transaction has locked, with the shared resource's, which it locked
 * before.
 *
 * @param resource null where the operation is its own resource, or nobody ever took it
 * @param askedNanoTime this process's clock before the lock was asked for
 */
record LockedOperation(OperationRow row, @Nullable ResourceRow resource, long askedNanoTime) {

  boolean isHeldBy(HeldLease lease) {
    return row.token().equals(lease.token()) && row.claimId().equals(lease.claimId());
  }

  /** What is left of the lease; zero or negative once it is over, or the resource is another's. */
  Duration rest() {
    Duration own = row.expiresIn();
    if (!row.reservation().resource().isShared()) {
      return own;
    }
    if (resource == null || !resource.isBorneBy(row)) {
      return Duration.ZERO;
    }
    Duration shared = Duration.between(row.judgedAt(), resource.expiresAt());
    return shared.compareTo(own) < 0 ? shared : own;
  }

  LeaseStanding standing(LeaseMargin margin) {
    return row.state() == OperationState.IN_PROGRESS
        ? LeaseStanding.judge(rest(), margin)
        : LeaseStanding.NONE;
  }

  /** Whether somebody's lease on it is live. */
  boolean isHeld() {
    return row.state() == OperationState.IN_PROGRESS && rest().isPositive();
  }

  /** Whether another operation holds the shared resource now. */
  boolean isResourceTaken() {
    return resource != null && resource.isLiveAt(row.judgedAt()) && !resource.isBorneBy(row);
  }

  /** Above the operation's and the resource's last, and never below the clock. */
  FencingToken freshToken() {
    long last = row.token().value();
    long shared = resource == null ? 0 : resource.token().value();
    return new FencingToken(Math.max(Math.max(last, shared) + 1, row.judgedAt().toEpochMilli()));
  }

  /** How long another operation may hold the shared resource still. */
  Duration resourceRest() {
    return resource == null
        ? Duration.ZERO
        : Duration.between(row.judgedAt(), resource.expiresAt());
  }
}
