package dev.holdfast.samples.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.samples.sharing.ExportActivities;
import dev.holdfast.samples.sharing.ExportRequest;
import dev.holdfast.samples.sharing.ExportedDocument;
import dev.holdfast.samples.sharing.HttpExportActivities;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker process that exports, and before its receipt waits to be told to go on. */
final class HoldingWorker {
  /** Printed between the effect and the receipt. */
  static final String EFFECT_DONE = "WORKER has its answer";

  private HoldingWorker() {}

  /** Arguments: Temporal's address, the JDBC URL, the task queue, the exporter, the lease. */
  public static void main(String[] args) throws InterruptedException {
    HikariDataSource pool = Backends.pool(args[1], 4);
    WorkflowServiceStubs service = FencedWorker.connect(args[0]);
    ExportActivities exports =
        new HttpExportActivities(HttpClient.newHttpClient(), URI.create(args[3]));
    var unused =
        FencedWorker.startSingle(
            service,
            pool,
            args[2],
            Duration.parse(args[4]),
            worker -> worker.registerActivitiesImplementations(new Held(exports)));
    Narrator.say(WorkerProcess.POLLING);
    new CountDownLatch(1).await();
  }

  private record Held(ExportActivities exports) implements ExportActivities {
    @Override
    public ExportedDocument export(String exportId, ExportRequest request) {
      ExportedDocument exported = exports.export(exportId, request);
      Narrator.say(EFFECT_DONE);
      awaitWord();
      return exported;
    }

    private static void awaitWord() {
      try {
        String unused =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
