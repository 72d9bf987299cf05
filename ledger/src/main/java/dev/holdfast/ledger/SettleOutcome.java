package dev.holdfast.ledger;

import java.time.Duration;

/** What settling a verified success answers. */
public sealed interface SettleOutcome {
  /** The receipt is durable; the permit releases the lease. */
  record Committed(Receipt receipt, ReleasePermit permit) implements SettleOutcome {}

  /** Another claim holds a newer token. The evidence is stored; a fresh claim picks it up. */
  record Preempted() implements SettleOutcome {}

  /** The lease was over before the commit. The evidence is stored; a fresh claim picks it up. */
  record LeaseExpired() implements SettleOutcome {}

  /** Too little of the lease is left, and nothing was stored: renew once, settle again. */
  record MarginTooThin(Duration left) implements SettleOutcome {}

  /** The tuple or epoch moved under the holder; the evidence was set aside. */
  record Quarantined() implements SettleOutcome {}

  /** The operation is settled: by this very claim, by another one, or as failed or conflict. */
  record AlreadySettled(OperationView operation) implements SettleOutcome {}

  /** Rivals kept moving the row; nothing was stored. */
  record Contended() implements SettleOutcome {}
}
