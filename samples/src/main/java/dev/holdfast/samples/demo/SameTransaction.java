package dev.holdfast.samples.demo;

import dev.holdfast.ledger.OperationId;
import dev.holdfast.samples.booking.BookingRequest;
import dev.holdfast.samples.booking.BookingWorkflow;
import dev.holdfast.samples.booking.Bookings;
import io.temporal.client.WorkflowClient;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker process is killed hard inside the booking's transaction; another one books. */
final class SameTransaction implements Scenario {
  @Override
  public String name() {
    return "same-transaction";
  }

  @Override
  public Score expected() {
    return new Score(1, 0, 1, false, "booked");
  }

  @Override
  public Score play(Stage stage) throws Exception {
    Narrator.say("\n%s: a worker process dies inside the booking's transaction.".formatted(name()));
    createTable(stage);
    String booking = stage.key(name());
    String taskQueue = stage.taskQueue() + "-bookings";
    CompletableFuture<?> booked;
    try (WorkerProcess doomed = worker(stage, taskQueue, BookingWorker.Mode.HANG_INSIDE)) {
      BookingWorkflow workflow = stage.workflow(BookingWorkflow.class, name());
      booked =
          WorkflowClient.execute(
              workflow::run, taskQueue, booking, new BookingRequest("premiere", 2));
      doomed.awaitLine(BookingWorker.INSIDE);
      Narrator.say("  It has inserted the booking and not committed: killed.");
    }
    try (WorkerProcess second = worker(stage, taskQueue, BookingWorker.Mode.BOOK)) {
      booked.get(60, TimeUnit.SECONDS);
      Narrator.say("  It was rolled back; process %d booked.".formatted(second.pid()));
    }
    return score(stage, booking);
  }

  private static WorkerProcess worker(Stage stage, String taskQueue, BookingWorker.Mode mode)
      throws IOException, InterruptedException {
    return WorkerProcess.start(stage.backends(), BookingWorker.class, taskQueue, mode.name());
  }

  private static Score score(Stage stage, String booking) throws SQLException {
    try (Connection connection = stage.backends().dataSource().getConnection()) {
      int bookings = Bookings.count(connection, booking);
      int receipts = stage.receipts(new OperationId("Book", booking));
      return new Score(bookings, 0, receipts, false, bookings > 0 ? "booked" : "lost");
    }
  }

  private static void createTable(Stage stage) throws SQLException {
    try (Connection connection = stage.backends().dataSource().getConnection()) {
      Bookings.create(connection);
    }
  }
}
