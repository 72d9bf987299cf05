package dev.holdfast.workflows.internal;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.Scope;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes a binding's current generation into a workflow's history. */
public final class CurrentBinding {
  /** Short, because commands of the workflow task wait for it; long enough for a busy database. */
  private static final Duration LOOK_UP = Duration.ofSeconds(5);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** With doubled pauses some fifteen seconds: a restart of the database passes unseen. */
  private static final int TIMES = 5;

  private static final LocalActivityOptions ONCE =
      LocalActivityOptions.newBuilder()
          .setScheduleToCloseTimeout(LOOK_UP)
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
          .build();

  private CurrentBinding() {}

  /**
   * The binding as it stands at the first call; the same when the workflow is replayed.
   *
   * @param scope null for the scope of operations whose arguments name none
   * @throws io.temporal.failure.ApplicationFailure {@code LedgerUnavailable}
   */
  public static BindingRef of(@Nullable Scope scope, BindingName name) {
    BindingLookup ledger = Workflow.newLocalActivityStub(BindingLookup.class, ONCE);
    BindingLookup.Query query = new BindingLookup.Query(scope, name);
    Duration pause = FIRST_PAUSE;
    for (int tried = 1; tried < TIMES; tried++) {
      try {
        return ledger.current(query);
      } catch (ActivityFailure e) {
        rethrowCancellation(e);
      }
      Workflow.sleep(pause);
      pause = pause.multipliedBy(2);
    }
    try {
      return ledger.current(query);
    } catch (ActivityFailure e) {
      rethrowCancellation(e);
      throw HoldfastFailures.ledgerUnavailable(
          "binding", "a binding could not be looked up in the ledger");
    }
  }

  private static void rethrowCancellation(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure) {
      throw failure;
    }
  }
}
