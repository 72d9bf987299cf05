package dev.holdfast.activities.bed;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls one fenced activity, cancels that call on a signal, and says what came of it. */
@WorkflowInterface
public interface CancellableWorkflow {
  /** The value, or the simple name of what the call failed with. */
  @WorkflowMethod
  @Nullable String call(Terms terms);

  /** Cancels the call and not the workflow. */
  @SignalMethod
  void cancelCall();

  /** What to call; attempts are bounded by their number alone, and by the heartbeat time-out. */
  record Terms(
      String key,
      String request,
      ActivityCancellationType type,
      int heartbeatMillis,
      int attempts) {
    /** Of the activity's key; the request is the same text. */
    public static Terms of(String key) {
      return new Terms(key, key, ActivityCancellationType.TRY_CANCEL, 1_000, 10);
    }

    /** A heartbeat time-out of so many milliseconds. */
    public Terms heartbeatWithin(int millis) {
      return new Terms(key, request, type, millis, attempts);
    }

    /** How a cancellation reaches the activity. */
    public Terms cancelledBy(ActivityCancellationType how) {
      return new Terms(key, request, how, heartbeatMillis, attempts);
    }
  }

  /** The workflow. */
  final class Impl implements CancellableWorkflow {
    private @Nullable CancellationScope scope;

    @Override
    public @Nullable String call(Terms terms) {
      EffectActivities activities =
          Workflow.newActivityStub(
              EffectActivities.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofMinutes(1))
                  .setHeartbeatTimeout(Duration.ofMillis(terms.heartbeatMillis()))
                  .setCancellationType(terms.type())
                  .setRetryOptions(
                      RetryOptions.newBuilder()
                          .setInitialInterval(Duration.ofMillis(100))
                          .setBackoffCoefficient(1)
                          .setMaximumAttempts(terms.attempts())
                          .build())
                  .build());
      CompletablePromise<@Nullable String> answer = Workflow.newPromise();
      CancellationScope calling =
          Workflow.newCancellationScope(
              () ->
                  answer.completeFrom(
                      Async.function(activities::effect, terms.key(), terms.request())));
      scope = calling;
      calling.run();
      try {
        return answer.get();
      } catch (ActivityFailure e) {
        return Objects.requireNonNull(e.getCause()).getClass().getSimpleName();
      }
    }

    @Override
    public void cancelCall() {
      if (scope != null) {
        scope.cancel("by a signal");
      }
    }
  }
}
