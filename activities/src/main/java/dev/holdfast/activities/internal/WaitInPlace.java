package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Asks again for a bounded time while somebody else holds the lease. A retry by Temporal costs a
 * second and an attempt; most leases are over sooner.
 */
final class WaitInPlace {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration AT_LEAST = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  private final Duration bound;
  private final Runnable heartbeat;

  /**
   * @param heartbeat tells Temporal that the activity lives; throws where it should not any more
   */
  WaitInPlace(Duration bound, Runnable heartbeat) {
    this.bound = bound;
    this.heartbeat = heartbeat;
  }

  /**
   * The first answer that is not busy, or the last one. Gives up when the thread is interrupted.
   */
  Claim untilNotBusy(Supplier<Claim> ask) {
    LocalDeadline end = LocalDeadline.after(System.nanoTime(), bound);
    Duration pause = FIRST_PAUSE;
    Claim claim = ask.get();
    while (claim instanceof Claim.Busy(Duration retryAfter) && !end.isPast()) {
      heartbeat.run();
      LockSupport.parkNanos(shortest(pause, retryAfter.plus(AT_LEAST), end.rest()).toNanos());
      if (Thread.interrupted()) {
        return claim;
      }
      pause = shortest(pause.multipliedBy(2), LONGEST_PAUSE, LONGEST_PAUSE);
      claim = ask.get();
    }
    return claim;
  }

  private static Duration shortest(Duration one, Duration two, Duration three) {
    Duration shorter = one.compareTo(two) < 0 ? one : two;
    return shorter.compareTo(three) < 0 ? shorter : three;
  }
}
