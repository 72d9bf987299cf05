package dev.holdfast.samples.sharing;

import dev.holdfast.BindingRef;
import dev.holdfast.Settled;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** Takes the mandate first, so that its generation stands in history and goes with the export. */
public final class MandatedShareWorkflowImpl implements MandatedShareWorkflow {
  private final ActivityOptions options =
      ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(3)).build();
  // a person decides what becomes of an export that nobody saw the end of
  private final ActivityOptions once =
      ActivityOptions.newBuilder(options)
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
          .build();
  private final MandatedExportActivities exports =
      Workflow.newActivityStub(MandatedExportActivities.class, once);
  private final ShareActivities shares = Workflow.newActivityStub(ShareActivities.class, options);

  @Override
  public SharedLink run(
      String mandate, String exportId, String shareId, ExportRequest export, ShareRequest share) {
    BindingRef current = FencedActivities.currentBinding(mandate);
    Settled<ExportedDocument> exported =
        FencedActivities.call(exports::exportUnderMandate, exportId, current, export);
    return shares.share(shareId, exported.ref(), share);
  }
}
