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
 */
record AttemptTime(Duration bound, LocalDeadline attemptEnds, LocalDeadline callEnds) {
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
                : info.getScheduleToCloseTimeout().minus(scheduled)));
  }

  /** An attempt that may last that long, of a call that nobody bounds. */
  static AttemptTime of(Duration bound) {
    return new AttemptTime(bound, in(bound), in(UNBOUNDED));
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
}
