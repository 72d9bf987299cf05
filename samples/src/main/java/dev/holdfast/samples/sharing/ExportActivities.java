package dev.holdfast.samples.sharing;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;

/** The first effect. The key names the request: another format is another export id. */
@ActivityInterface
public interface ExportActivities {
  @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
  ExportedDocument export(@OperationKey String exportId, ExportRequest request);
}
