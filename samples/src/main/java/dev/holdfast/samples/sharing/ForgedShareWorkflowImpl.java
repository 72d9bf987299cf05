package dev.holdfast.samples.sharing;

import dev.holdfast.OperationRef;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** The gate stands in share's claim, so nothing that a workflow does gets past it. */
public final class ForgedShareWorkflowImpl implements ForgedShareWorkflow {
  private final ShareActivities shares =
      Workflow.newActivityStub(
          ShareActivities.class,
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(3))
              // a receipt that never was is told as one that was lost: it would be waited for
              .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
              .build());

  @Override
  public SharedLink run(String shareId, OperationRef forged, ShareRequest share) {
    return shares.share(shareId, forged, share);
  }
}
