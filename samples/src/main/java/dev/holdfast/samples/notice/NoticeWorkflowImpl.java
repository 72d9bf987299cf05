package dev.holdfast.samples.notice;

import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** Nothing here says that it may wait for a person: the annotation does. */
public final class NoticeWorkflowImpl implements NoticeWorkflow {
  private final NoticeActivities notices =
      Workflow.newActivityStub(
          NoticeActivities.class,
          ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(3)).build());

  @Override
  public String run(String noticeId, String audience) {
    return notices.post(noticeId, audience);
  }
}
