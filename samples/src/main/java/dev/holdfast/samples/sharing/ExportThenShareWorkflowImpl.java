package dev.holdfast.samples.sharing;

import dev.holdfast.Settled;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** Ordinary stubs; the barrier stands around the activities, not here. */
public final class ExportThenShareWorkflowImpl implements ExportThenShareWorkflow {
  private final ActivityOptions options =
      ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(3)).build();
  private final ExportActivities exports =
      Workflow.newActivityStub(ExportActivities.class, options);
  private final ShareActivities shares = Workflow.newActivityStub(ShareActivities.class, options);

  @Override
  public SharedLink run(String exportId, String shareId, ExportRequest export, ShareRequest share) {
    Settled<ExportedDocument> exported = FencedActivities.call(exports::export, exportId, export);
    return shares.share(shareId, exported.ref(), share);
  }
}
