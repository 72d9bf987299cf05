package dev.holdfast.samples.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.samples.booking.JdbcBookingActivities;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.CountDownLatch;

/** A worker process of its own, so that it can be killed hard. */
final class BookingWorker {
  /** Printed between the booking's insert and its commit, by a worker that will hang there. */
  static final String INSIDE = "WORKER inside the transaction";

  /** What the worker does with a booking. */
  enum Mode {
    BOOK,
    HANG_INSIDE
  }

  private BookingWorker() {}

  /** Arguments: Temporal's address, the JDBC URL, the task queue, the mode. */
  public static void main(String[] args) throws InterruptedException {
    HikariDataSource pool = Backends.pool(args[1], 4);
    WorkflowServiceStubs service = FencedWorker.connect(args[0]);
    JdbcBookingActivities bookings =
        switch (Mode.valueOf(args[3])) {
          case BOOK -> new JdbcBookingActivities();
          case HANG_INSIDE -> new JdbcBookingActivities(BookingWorker::hang);
        };
    var unused =
        FencedWorker.start(
            service, pool, args[2], worker -> worker.registerActivitiesImplementations(bookings));
    Narrator.say(WorkerProcess.POLLING);
    new CountDownLatch(1).await();
  }

  private static void hang() {
    Narrator.say(INSIDE);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
