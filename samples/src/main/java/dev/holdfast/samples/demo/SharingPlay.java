package dev.holdfast.samples.demo;

import dev.holdfast.ledger.OperationId;
import dev.holdfast.samples.sharing.ExportRequest;
import dev.holdfast.samples.sharing.ExportThenShareWorkflow;
import dev.holdfast.samples.sharing.ShareRequest;
import io.temporal.client.WorkflowException;

/** One run of export-then-share, and what it left at both upstreams. */
final class SharingPlay {
  private final Stage stage;
  private final String name;
  private final int exportsBefore;
  private final int sharesBefore;

  SharingPlay(Stage stage, String name) {
    this.stage = stage;
    this.name = name;
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
      stage
          .workflow(ExportThenShareWorkflow.class, name)
          .run(
              export().key(),
              share().key(),
              new ExportRequest("annual-report", "pdf"),
              new ShareRequest("auditors"));
      return true;
    } catch (WorkflowException e) {
      return false;
    }
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
