package dev.holdfast.samples.demo;

import dev.holdfast.ledger.OperationId;
import dev.holdfast.samples.sharing.ExportRequest;
import dev.holdfast.samples.sharing.ExportThenShareWorkflow;
import dev.holdfast.samples.sharing.ShareRequest;
import dev.holdfast.samples.sharing.SharedLink;
import io.temporal.client.WorkflowClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One run of export-then-share, and what it left at both upstreams. */
final class SharingPlay {
  private final Stage stage;
  private final String name;
  private final String taskQueue;
  private final int exportsBefore;
  private final int sharesBefore;

  /** On the stage's own worker. */
  SharingPlay(Stage stage, String name) {
    this(stage, name, stage.taskQueue());
  }

  SharingPlay(Stage stage, String name, String taskQueue) {
    this.stage = stage;
    this.name = name;
    this.taskQueue = taskQueue;
    this.exportsBefore = stage.exporter().effects().size();
    this.sharesBefore = stage.publisher().effects().size();
  }

  OperationId export() {
    return new OperationId("Export", stage.key(name));
  }

  OperationId share() {
    return new OperationId("Share", stage.key(name));
  }

  /** Runs the workflow to its end; whether a link was shared. */
  boolean run() {
    try {
      SharedLink unused = start().join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }

  /** Starts the workflow. */
  CompletableFuture<SharedLink> start() {
    ExportThenShareWorkflow workflow =
        stage.workflow(ExportThenShareWorkflow.class, name, taskQueue);
    return WorkflowClient.execute(
        workflow::run,
        export().key(),
        share().key(),
        new ExportRequest("annual-report", "pdf"),
        new ShareRequest("auditors"));
  }

  /** A worker process on this play's queue that exports and then holds. */
  WorkerProcess holdingWorker(Duration lease) throws IOException, InterruptedException {
    return WorkerProcess.start(
        stage.backends(),
        HoldingWorker.class,
        taskQueue,
        stage.exporter().uri().toString(),
        lease.toString());
  }

  Score score(boolean gateOpen, String outcome) {
    return new Score(
        stage.exporter().effects().size() - exportsBefore,
        stage.publisher().effects().size() - sharesBefore,
        stage.receipts(export(), share()),
        gateOpen,
        outcome);
  }

  /** The score of a run that ended as {@link #run()} says. */
  Score score(boolean shared) {
    return score(shared, shared ? "shared" : "refused");
  }
}
