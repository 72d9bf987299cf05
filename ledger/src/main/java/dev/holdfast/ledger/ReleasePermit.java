package dev.holdfast.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * What a committed and durable receipt alone yields, and what {@link Ledger#release} demands:
 * without one the lease runs out by itself.
 */
public final class ReleasePermit {
  private final Receipt receipt;
  private final LocalDeadline lastRelease;
  private final long judgedNanoTime;

  ReleasePermit(Receipt receipt, LocalDeadline lastRelease, long judgedNanoTime) {
    this.receipt = receipt;
    this.lastRelease = lastRelease;
    this.judgedNanoTime = judgedNanoTime;
  }

  /** The receipt that was committed. */
  public Receipt receipt() {
    return receipt;
  }

  /** When the lease runs out by itself, by this process's pessimistic clock. */
  public LocalDeadline expiry() {
    return lastRelease;
  }

  /**
   * Database time now, as far as this process can tell: the settlement's, and what passed since.
   */
  Instant estimatedNow() {
    return receipt.committedAt().plus(Duration.ofNanos(System.nanoTime() - judgedNanoTime));
  }
}
