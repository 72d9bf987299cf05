package dev.holdfast.activities.bed;

import dev.holdfast.OperationRef;
import dev.holdfast.Settled;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** Calls export or share alone, so that a test can hold the reference in its hand. */
public final class GateWorkflow {
  private GateWorkflow() {}

  /** Exports and gives the reference away. */
  @WorkflowInterface
  public interface Export {
    @WorkflowMethod
    OperationRef exported(String exportId, ExportThenShareWorkflow.Document document);
  }

  /** Shares with a reference from anywhere. */
  @WorkflowInterface
  public interface Share {
    @WorkflowMethod
    String shared(String shareId, OperationRef export, String reader);
  }

  /** Gates workflow code on a reference from anywhere. */
  @WorkflowInterface
  public interface Require {
    @WorkflowMethod
    String required(OperationRef export);
  }

  private static ActivityOptions options() {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(30))
        .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
        .build();
  }

  /** The workflow. */
  public static final class ExportImpl implements Export {
    private final ExportThenShareWorkflow.Exports exports =
        Workflow.newActivityStub(ExportThenShareWorkflow.Exports.class, options());

    @Override
    public OperationRef exported(String exportId, ExportThenShareWorkflow.Document document) {
      Settled<String> settled = FencedActivities.call(exports::export, exportId, document);
      return settled.ref();
    }
  }

  /** The workflow. */
  public static final class ShareImpl implements Share {
    private final ExportThenShareWorkflow.Shares shares =
        Workflow.newActivityStub(ExportThenShareWorkflow.Shares.class, options());

    @Override
    public String shared(String shareId, OperationRef export, String reader) {
      return shares.share(shareId, export, reader);
    }
  }

  /** The workflow. */
  public static final class RequireImpl implements Require {
    @Override
    public String required(OperationRef export) {
      FencedActivities.requireCompleted(export);
      return "completed";
    }
  }
}
