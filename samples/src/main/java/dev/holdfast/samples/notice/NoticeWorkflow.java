package dev.holdfast.samples.notice;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Posts a notice. */
@WorkflowInterface
public interface NoticeWorkflow {
  @WorkflowMethod
  String run(String noticeId, String audience);
}
