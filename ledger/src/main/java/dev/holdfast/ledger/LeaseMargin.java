package dev.holdfast.ledger;

import java.time.Duration;

/**
 * Time that must remain on a lease at the instant its receipt is committed (seed: {@code
 * minimum_safety_margin_ms}). Kept when the rest is at least the margin.
 */
public record LeaseMargin(Duration value) {
  /** The seed's 50 ms: more than a commit takes, far less than a lease. */
  public static final LeaseMargin STANDARD = new LeaseMargin(Duration.ofMillis(50));

  public LeaseMargin {
    if (value.isNegative()) {
      throw new IllegalArgumentException("a negative lease margin: " + value);
    }
  }

  /** Whether this much time is enough. */
  public boolean isKeptBy(Duration rest) {
    return rest.compareTo(value) >= 0;
  }
}
