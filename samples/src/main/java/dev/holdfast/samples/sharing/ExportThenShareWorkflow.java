package dev.holdfast.samples.sharing;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Exports a document and shares the export. */
@WorkflowInterface
public interface ExportThenShareWorkflow {
  @WorkflowMethod
  SharedLink run(String exportId, String shareId, ExportRequest export, ShareRequest share);
}
