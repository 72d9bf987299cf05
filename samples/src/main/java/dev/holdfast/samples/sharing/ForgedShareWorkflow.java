package dev.holdfast.samples.sharing;

import dev.holdfast.OperationRef;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** What a careless author might write: share whatever became of the export. */
@WorkflowInterface
public interface ForgedShareWorkflow {
  /**
   * Shares.
   *
   * @param forged refers to an export that nobody completed
   */
  @WorkflowMethod
  SharedLink run(String shareId, OperationRef forged, ShareRequest share);
}
