package dev.holdfast.samples.booking;

import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** One fenced activity on a queue of its own, so that its workers may die alone. */
public final class BookingWorkflowImpl implements BookingWorkflow {
  @Override
  public Booking run(String taskQueue, String bookingId, BookingRequest request) {
    BookingActivities bookings =
        Workflow.newActivityStub(
            BookingActivities.class,
            ActivityOptions.newBuilder()
                .setTaskQueue(taskQueue)
                .setStartToCloseTimeout(Duration.ofSeconds(4))
                .build());
    return FencedActivities.call(bookings::book, bookingId, request).value();
  }
}
