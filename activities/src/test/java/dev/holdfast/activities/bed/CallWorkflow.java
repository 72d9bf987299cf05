package dev.holdfast.activities.bed;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls one fenced activity once. */
@WorkflowInterface
public interface CallWorkflow {
  @WorkflowMethod
  @Nullable String call(Call call);

  /** What to call, and how long and how often Temporal shall try. */
  record Call(
      @Nullable String key, @Nullable String request, int startToCloseMillis, int attempts) {
    /** One attempt of half a minute. */
    public static Call once(@Nullable String key, @Nullable String request) {
      return new Call(key, request, 30_000, 1);
    }

    /** That many attempts. */
    public Call attempts(int most) {
      return new Call(key, request, startToCloseMillis, most);
    }

    /** Attempts that long. */
    public Call startToClose(Duration longest) {
      return new Call(key, request, (int) longest.toMillis(), attempts);
    }
  }

  /** The workflow. */
  final class Impl implements CallWorkflow {
    @Override
    public @Nullable String call(Call call) {
      ActivityOptions options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofMillis(call.startToCloseMillis()))
              .setRetryOptions(
                  RetryOptions.newBuilder()
                      .setInitialInterval(Duration.ofMillis(100))
                      .setBackoffCoefficient(1)
                      .setMaximumAttempts(call.attempts())
                      .build())
              .build();
      return Workflow.newActivityStub(EffectActivities.class, options)
          .effect(call.key(), call.request());
    }
  }
}
