package dev.holdfast.samples.sharing;

import dev.holdfast.BindingRef;
import dev.holdfast.BoundTo;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;

/**
 * The first effect, under a mandate that may be renewed: what an old one allowed counts no more.
 */
@ActivityInterface
public interface MandatedExportActivities {
  @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
  ExportedDocument exportUnderMandate(
      @OperationKey String exportId, @BoundTo BindingRef mandate, ExportRequest request);
}
