package dev.holdfast.samples.notice;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;

/** One dispatch, and no second one before a person has said what became of the first. */
@ActivityInterface
public interface NoticeActivities {
  /** Where the notice can be read. */
  @Fenced(upstream = UpstreamContract.OPAQUE, inFlight = "PT2S")
  String post(@OperationKey String noticeId, String audience);
}
