package dev.holdfast.activities.internal;

import dev.holdfast.ledger.LocalDeadline;
import io.temporal.activity.ActivityInfo;
import java.time.Duration;

/**
 * How long one attempt may last, and the call that it belongs to.
 *
 * @param bound the attempt's start-to-close time-out
 * @param attemptEnds when Temporal gives this attempt up
 * @param callEnds when Temporal gives the call up, with all its attempts. Read off this machine's
 *     clock, so that it is good for hints alone
 * @param scheduled when the call was made, read likewise
 * @param countsAttempts whether the call is given up after some number of attempts
 */
record AttemptTime(
    Duration bound,
    LocalDeadline attemptEnds,
    LocalDeadline callEnds,
    LocalDeadline scheduled,
    boolean countsAttempts) {
  /** Where nobody bounds it: longer than any attempt, and short enough to be counted in nanos. */
  private static final Duration UNBOUNDED = Duration.ofDays(10_000);

  /** Below that a server waits longer than it is asked to. */
  private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);

  /** As of now, when the attempt starts. */
  static AttemptTime of(ActivityInfo info) {
    Duration bound = info.getStartToCloseTimeout();
    Duration scheduled =
        Duration.ofMillis(System.currentTimeMillis() - info.getScheduledTimestamp());
    return new AttemptTime(
        bound,
        in(bound.isZero() ? UNBOUNDED : bound),
        in(
            info.getScheduleToCloseTimeout().isZero()
                ? UNBOUNDED
                : info.getScheduleToCloseTimeout().minus(scheduled)),
        in(scheduled.negated()),
        info.getRetryOptions().getMaximumAttempts() > 0);
  }

  /** An attempt that may last that long, of a call that nobody bounds. */
  static AttemptTime of(Duration bound) {
    return new AttemptTime(bound, in(bound), in(UNBOUNDED), in(Duration.ZERO), false);
  }

  private static LocalDeadline in(Duration rest) {
    return LocalDeadline.after(System.nanoTime(), rest.compareTo(UNBOUNDED) < 0 ? rest : UNBOUNDED);
  }

  /**
   * When to try again that would like to wait that long. A delay past the end of its call would end
   * the call at once: half of what is left of it leaves an attempt more.
   */
  Duration retryAfter(Duration wished) {
    Duration half = callEnds.rest().dividedBy(2);
    return wished.compareTo(half) > 0 && half.compareTo(SHORTEST_DELAY) >= 0 ? half : wished;
  }

  /** When to try again while another holds the lease, which ends then unless it is renewed. */
  Duration busyFor(Duration leaseRest) {
    return retryAfter(countsAttempts ? leaseRest : busyFor(leaseRest, scheduled.rest().negated()));
  }

  /**
   * No longer than was waited so far: who is let in again and again waits at most twice as long as
   * the lease was held. Where attempts are counted that would use them up.
   */
  static Duration busyFor(Duration leaseRest, Duration waited) {
    Duration atMost = waited.compareTo(SHORTEST_DELAY) > 0 ? waited : SHORTEST_DELAY;
    return leaseRest.compareTo(atMost) < 0 ? leaseRest : atMost;
  }
}
