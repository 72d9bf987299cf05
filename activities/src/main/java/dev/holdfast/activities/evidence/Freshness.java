package dev.holdfast.activities.evidence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Judges when something was signed, by this process's clock. It bounds how long a signed answer can
 * be played again; that it is about this very effect, the signed tuple says.
 */
record Freshness(Clock clock, Duration maxAge) {
  /** Long enough for clocks that are kept by nobody in particular, and for a slow delivery. */
  static final Duration STANDARD_AGE = Duration.ofMinutes(5);

  /** What two synchronised clocks may differ by. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  Freshness {
    if (!maxAge.isPositive()) {
      throw new IllegalArgumentException("nothing is ever that fresh: " + maxAge);
    }
  }

  Instant now() {
    return clock.instant();
  }

  /**
   * @param expires the end that the signer set
   * @throws RefusedException it is too old, or not yet
   */
  void check(Instant created, Optional<Instant> expires) {
    Instant now = now();
    if (created.isAfter(now.plus(SKEW))) {
      throw new RefusedException(Refusal.FROM_FUTURE);
    }
    if (created.isBefore(now.minus(maxAge))) {
      throw new RefusedException(Refusal.TOO_OLD);
    }
    if (expires.filter(end -> !end.isAfter(now)).isPresent()) {
      throw new RefusedException(Refusal.EXPIRED);
    }
  }
}
