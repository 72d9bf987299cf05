package dev.holdfast.activities.bed;

import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Uses of a fenced activity that cannot be protected. */
public final class UnprotectableWorkflows {
  private UnprotectableWorkflows() {}

  /** Calls it as a local activity. */
  @WorkflowInterface
  public interface Local {
    @WorkflowMethod
    @Nullable String callLocally(String key, String request);
  }

  /** The workflow. */
  public static final class LocalImpl implements Local {
    @Override
    public @Nullable String callLocally(String key, String request) {
      return Workflow.newLocalActivityStub(
              EffectActivities.class,
              LocalActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofSeconds(10))
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(2).build())
                  .build())
          .effect(key, request);
    }
  }
}
