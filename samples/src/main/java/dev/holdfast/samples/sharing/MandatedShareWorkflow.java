package dev.holdfast.samples.sharing;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Exports a document under the mandate as it stands, and shares the export. */
@WorkflowInterface
public interface MandatedShareWorkflow {
  @WorkflowMethod
  SharedLink run(
      String mandate, String exportId, String shareId, ExportRequest export, ShareRequest share);
}
