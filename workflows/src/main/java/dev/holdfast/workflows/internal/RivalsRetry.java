package dev.holdfast.workflows.internal;

import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * How long another execution is waited for that left an attempt open: it may be between two tries.
 * It gets a minute from each of its tries on, and ten minutes in all: who waits has bounded its own
 * call, and each look costs its history six events.
 */
final class RivalsRetry {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(32);

  /** Outlasts most back-offs of a retry. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  private static final Duration IN_ALL = Duration.ofMinutes(10);

  /** While the ledger does not answer, nobody tries: that is waited for as everywhere. */
  private static final Duration LONGEST_OUTAGE_PAUSE = Duration.ofHours(1);

  private final DurableWait wait;
  private final LookupQuery query;
  private Duration pause = FIRST_PAUSE;
  private Duration quiet = Duration.ZERO;
  private Duration waited = Duration.ZERO;

  RivalsRetry(DurableWait wait, LookupQuery query) {
    this.wait = wait;
    this.query = query;
  }

  /** Whether it is worth another look. */
  boolean mayCome() {
    return quiet.compareTo(QUIET) < 0 && waited.compareTo(IN_ALL) < 0;
  }

  /**
   * Looks once more after a pause that grows.
   *
   * @param last as it was seen before
   * @return as it is now; {@code last} where the ledger did not answer
   * @throws CanceledFailure the caller's scope was cancelled
   */
  LookedUp next(LookedUp last) {
    wait.sleep(pause);
    Optional<LookedUp> seen = DurableWait.look(query);
    seen.ifPresent(row -> count(row.isAsOpenAs(last)));
    pause = doubled(seen.isPresent() ? LONGEST_PAUSE : LONGEST_OUTAGE_PAUSE);
    return seen.orElse(last);
  }

  private void count(boolean nobodyTried) {
    waited = waited.plus(pause);
    quiet = nobodyTried ? quiet.plus(pause) : Duration.ZERO;
  }

  private Duration doubled(Duration longest) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(longest) < 0 ? twice : longest;
  }
}
