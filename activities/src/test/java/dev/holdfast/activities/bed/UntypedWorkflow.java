package dev.holdfast.activities.bed;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls the same activity by its name alone: the workflow side knows no method then, sends no
 * header and lets failures pass, so that what the worker does shows as it is.
 */
@WorkflowInterface
public interface UntypedWorkflow {
  @WorkflowMethod
  @Nullable String call(
      String activityType, @Nullable String key, @Nullable String request, int attempts);

  /** The workflow. */
  final class Impl implements UntypedWorkflow {
    @Override
    public @Nullable String call(
        String activityType, @Nullable String key, @Nullable String request, int attempts) {
      return Workflow.newUntypedActivityStub(
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(
                      RetryOptions.newBuilder()
                          .setInitialInterval(Duration.ofMillis(100))
                          .setBackoffCoefficient(1)
                          .setMaximumAttempts(attempts)
                          .build())
                  .build())
          .execute(activityType, String.class, key, request);
    }
  }
}
