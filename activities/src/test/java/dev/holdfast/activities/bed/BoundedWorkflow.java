package dev.holdfast.activities.bed;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls an activity by its name, as often as it likes, within a time for all attempts together. */
@WorkflowInterface
public interface BoundedWorkflow {
  @WorkflowMethod
  @Nullable String call(String activityType, String key, String request, int withinMillis);

  /** The workflow. */
  final class Impl implements BoundedWorkflow {
    @Override
    public @Nullable String call(
        String activityType, String key, String request, int withinMillis) {
      return Workflow.newUntypedActivityStub(
              ActivityOptions.newBuilder()
                  .setScheduleToCloseTimeout(Duration.ofMillis(withinMillis))
                  .setRetryOptions(
                      RetryOptions.newBuilder().setInitialInterval(Duration.ofMillis(100)).build())
                  .build())
          .execute(activityType, String.class, key, request);
    }
  }
}
