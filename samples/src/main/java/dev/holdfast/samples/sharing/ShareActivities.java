package dev.holdfast.samples.sharing;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.RequiresCompleted;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;

/**
 * The second effect, which must not happen unless that very export is completed. The publisher
 * signs what it answers, and nothing else that claims to be its answer counts.
 */
@ActivityInterface
public interface ShareActivities {
  @Fenced(
      upstream = UpstreamContract.HONOURS_KEY,
      keyHorizon = "PT24H",
      evidence = EvidenceRule.ATTESTED)
  SharedLink share(
      @OperationKey String shareId, @RequiresCompleted OperationRef export, ShareRequest request);
}
