package dev.holdfast.samples.booking;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;

/** Books seats: exactly once, because booking and receipt are one commit. */
@ActivityInterface
public interface BookingActivities {
  @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
  Booking book(@OperationKey String bookingId, BookingRequest request);
}
