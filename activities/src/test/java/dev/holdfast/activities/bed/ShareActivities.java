package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.VERIFIABLE;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import org.jspecify.annotations.Nullable;

/** One fenced activity whose upstream can be asked. */
@ActivityInterface
public interface ShareActivities {
  @Fenced(upstream = VERIFIABLE, inFlight = "PT2S", operation = "Effect")
  @Nullable String share(@OperationKey String key, String request);
}
