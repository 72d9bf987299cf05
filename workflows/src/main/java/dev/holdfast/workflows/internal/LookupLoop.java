package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** Asks the ledger with short single look-ups, and sleeps durably in between. */
final class LookupLoop {
  /** Short, because commands of the workflow task wait for it; long enough for a busy database. */
  private static final Duration LOOK_UP = Duration.ofSeconds(5);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** Balances a history of five events a look-up against the delay of an answer. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** How often a look-up may fail for another reason than an absent ledger. */
  private static final int STRANGE_FAILURES = 5;

  private static final LocalActivityOptions ONCE =
      LocalActivityOptions.newBuilder()
          .setScheduleToCloseTimeout(LOOK_UP)
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
          .build();

  private LookupLoop() {}

  /**
   * How the operation stands once no live lease is held; waits as long as it takes, and as long as
   * the ledger does not answer.
   *
   * <p>Where the look-up is not registered the SDK fails the workflow task, which waits for a
   * worker that has it.
   *
   * @throws ActivityFailure the look-up keeps failing for another reason than an absent ledger
   */
  static LookedUp untilDecided(LookupQuery query) {
    return ask(query, Integer.MAX_VALUE, true);
  }

  /**
   * How the operation stands now.
   *
   * @throws ActivityFailure the look-up failed this many times
   */
  static LookedUp now(LookupQuery query, int times) {
    return ask(query, times, false);
  }

  private static LookedUp ask(LookupQuery query, int times, boolean untilDecided) {
    LedgerLookup ledger = Workflow.newLocalActivityStub(LedgerLookup.class, ONCE);
    Duration pause = FIRST_PAUSE;
    int failed = 0;
    while (true) {
      Duration rest = LONGEST_PAUSE;
      try {
        LookedUp row = ledger.lookUp(query);
        if (!untilDecided || row.state() != LookedUp.State.IN_PROGRESS) {
          return row;
        }
        rest = Duration.ofMillis(row.retryAfterMillis());
      } catch (ActivityFailure e) {
        if (++failed >= (mayRecover(e) ? times : Math.min(times, STRANGE_FAILURES))) {
          throw e;
        }
      }
      // no longer than the lease lasts, so that a holder's end is seen soon
      Workflow.sleep(shorter(pause, longer(rest, FIRST_PAUSE)));
      pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
    }
  }

  private static boolean mayRecover(ActivityFailure failure) {
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
