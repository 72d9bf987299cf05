package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks the ledger with short single look-ups, and sleeps durably in between. */
final class LookupLoop {
  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** Balances a history of five events a look-up against the delay of an answer. */
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** How often a look-up may fail for another reason than an absent ledger. */
  static final int STRANGE_FAILURES = 5;

  /** As long as the lease lives. */
  static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** Short, because commands of the workflow task wait for it; long enough for a busy database. */
  private static final Duration LOOK_UP = Duration.ofSeconds(5);

  /** A look-up that retried in itself would hold back what the workflow task has to send. */
  static final LocalActivityOptions ONCE =
      LocalActivityOptions.newBuilder()
          .setScheduleToCloseTimeout(LOOK_UP)
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
          .build();

  private LookupLoop() {}

  /**
   * How the operation stands once no live lease is held, or has been held so long; asks as long as
   * the ledger does not answer.
   *
   * <p>Where the look-up is not registered the SDK fails the workflow task, which waits for a
   * worker that has it.
   *
   * @param longest for how long a live lease is waited for
   * @throws ActivityFailure the look-up keeps failing for another reason than an absent ledger
   */
  static LookedUp untilDecided(LookupQuery query, Duration longest) {
    LedgerLookup ledger = Workflow.newLocalActivityStub(LedgerLookup.class, ONCE);
    Duration pause = FIRST_PAUSE;
    Duration held = Duration.ZERO;
    int failed = 0;
    while (true) {
      @Nullable Duration rest = null;
      try {
        LookedUp row = ledger.lookUp(query);
        if (row.state() != LookedUp.State.IN_PROGRESS || held.compareTo(longest) >= 0) {
          return row;
        }
        rest = Duration.ofMillis(row.retryAfterMillis());
      } catch (ActivityFailure e) {
        if (++failed >= STRANGE_FAILURES && !mayRecover(e)) {
          throw e;
        }
      }
      // no longer than the lease lasts, so that a holder's end is seen soon
      Duration sleep = rest == null ? pause : shorter(pause, longer(rest, FIRST_PAUSE));
      Workflow.sleep(sleep);
      held = rest == null ? held : held.plus(sleep);
      pause = next(pause);
    }
  }

  /**
   * How the operation stands now.
   *
   * @throws ActivityFailure the look-up failed
   */
  static LookedUp now(LookupQuery query) {
    return Workflow.newLocalActivityStub(LedgerLookup.class, ONCE).lookUp(query);
  }

  /** The pause after this one. */
  static Duration next(Duration pause) {
    return shorter(pause.multipliedBy(2), LONGEST_PAUSE);
  }

  /** Whether it failed for no other reason than an absent ledger. */
  static boolean mayRecover(ActivityFailure failure) {
    return failure.getCause() instanceof TimeoutFailure
        || (failure.getCause() instanceof ApplicationFailure application
            && application.getType().equals(HoldfastFailures.LEDGER_UNAVAILABLE));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
