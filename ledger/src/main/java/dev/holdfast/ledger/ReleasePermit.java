package dev.holdfast.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * What a committed and durable receipt alone yields, and what {@link Ledger#release} demands:
 * without one the lease runs out by itself.
 */
public final class ReleasePermit {
  private final Receipt receipt;
  private final LeaseMargin margin;
  private final LocalDeadline lastRelease;
  private final long judgedNanoTime;
  private final boolean readBack;

  ReleasePermit(
      Receipt receipt,
      LeaseMargin margin,
      LocalDeadline lastRelease,
      long judgedNanoTime,
      boolean readBack) {
    this.receipt = receipt;
    this.margin = margin;
    this.lastRelease = lastRelease;
    this.judgedNanoTime = judgedNanoTime;
    this.readBack = readBack;
  }

  /** The receipt that was committed. */
  public Receipt receipt() {
    return receipt;
  }

  /** When the lease runs out by itself, by this process's pessimistic clock. */
  public LocalDeadline expiry() {
    return lastRelease;
  }

  LeaseMargin margin() {
    return margin;
  }

  /** Whether its receipt was read back: then the release waits for its own commit too. */
  boolean isReadBack() {
    return readBack;
  }

  /** The pre-unlock gate over this very receipt and the lease it was committed under. */
  PreUnlockGate.Decision authorise() {
    Completion proved = receipt.completion();
    PreUnlockGate.LeaseState lease =
        new PreUnlockGate.LeaseState(
            receipt.resource(),
            receipt.token().value(),
            receipt.committedAt().plus(receipt.marginLeft()),
            true);
    PreUnlockGate.ReceiptState committed =
        new PreUnlockGate.ReceiptState(
            proved.scope(),
            receipt.resource(),
            receipt.token().value(),
            proved.operation().text(),
            proved.fingerprint().digest().hex(),
            receipt.responseDigest().hex(),
            receipt.committedAt(),
            true);
    return new PreUnlockGate(margin).authorise(lease, committed, estimatedNow());
  }

  /**
   * Database time now, as far as this process can tell: the settlement's, and what passed since.
   */
  private Instant estimatedNow() {
    return receipt.committedAt().plus(Duration.ofNanos(System.nanoTime() - judgedNanoTime));
  }
}
