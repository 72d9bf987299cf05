package dev.holdfast.samples.booking;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Books seats. */
@WorkflowInterface
public interface BookingWorkflow {
  /**
   * Books.
   *
   * @param taskQueue where the booking workers poll
   */
  @WorkflowMethod
  Booking run(String taskQueue, String bookingId, BookingRequest request);
}
