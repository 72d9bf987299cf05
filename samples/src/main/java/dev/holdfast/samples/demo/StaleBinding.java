package dev.holdfast.samples.demo;

import dev.holdfast.BindingRef;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.samples.sharing.ExportRequest;
import dev.holdfast.samples.sharing.ExportedDocument;
import dev.holdfast.samples.sharing.MandatedExportActivities;
import dev.holdfast.samples.sharing.MandatedShareWorkflow;
import dev.holdfast.samples.sharing.ShareRequest;
import io.temporal.client.WorkflowException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * An export hangs after its effect, and its mandate is renewed meanwhile: a person carries the
 * operation to the new mandate. The late success of the old one is set aside and opens no gate;
 * then the export is asked for under the new mandate, the exporter answers with what it did, and
 * share goes through.
 */
final class StaleBinding implements Scenario {
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Override
  public String name() {
    return "stale-binding";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "rebound");
  }

  @Override
  @SuppressWarnings("try") // the worker serves by being there
  public Score play(Stage stage) throws Exception {
    Narrator.say("\n%s: an export hangs after its effect.".formatted(name()));
    SharingPlay play = new SharingPlay(stage, name());
    OperationId export = new OperationId("ExportUnderMandate", stage.key(name()));
    String queue = stage.key(name());
    try (FencedWorker worker = stage.mandatedOn(queue, exports -> new Hanging(exports, goOn))) {
      boolean early = run(stage, queue, "-first");
      Narrator.say("  Its mandate is renewed, and a person carries the export over.");
      rotate(stage);
      carry(stage, export);
      goOn.countDown();
      OperationStory late = awaitQuarantine(stage, export);
      boolean closed = late.operation().state() == OperationState.UNKNOWN && !early;
      Narrator.say("  The late success of the old mandate was set aside: the gate stays closed.");
      boolean shared = run(stage, queue, "-again");
      Narrator.say("  Under the new mandate the exporter answered with what it had done.");
      return score(stage, play, export, closed && shared ? "rebound" : "hijacked", shared);
    }
  }

  private Score score(
      Stage stage, SharingPlay play, OperationId export, String outcome, boolean shared) {
    Score effects = play.score(shared, outcome);
    return new Score(
        effects.exports(), effects.shares(), stage.receipts(export, play.share()), shared, outcome);
  }

  private boolean run(Stage stage, String queue, String suffix) {
    try {
      var unused =
          stage
              .workflow(MandatedShareWorkflow.class, name() + suffix, queue)
              .run(
                  stage.key("mandate"),
                  stage.key(name()),
                  stage.key(name()),
                  new ExportRequest("annual-report", "pdf"),
                  new ShareRequest("auditors"));
      return true;
    } catch (WorkflowException e) {
      return false;
    }
  }

  private static void rotate(Stage stage) {
    RotateOutcome rotated =
        stage
            .acts()
            .rotate(
                new Rotation(
                    ActId.random(),
                    stage.scope(),
                    new BindingName(stage.key("mandate")),
                    new Generation(0),
                    "the demo",
                    "the mandate was renewed",
                    false));
    if (!(rotated instanceof RotateOutcome.Rotated)) {
      throw new IllegalStateException("the mandate was not renewed: " + rotated);
    }
  }

  private static void carry(Stage stage, OperationId export) {
    OperationView seen = stage.story(export).operation();
    ActOutcome carried =
        stage
            .acts()
            .rebind(
                new ActTerms(
                    stage.scope(), export, seen.revision(), "the demo", "still wanted", false),
                new Rebind(
                    Rebind.Mode.CARRY,
                    Tuple.of(seen.reservation(), seen.epoch()),
                    new Generation(1)));
    if (!(carried instanceof ActOutcome.Done)) {
      throw new IllegalStateException("the export was not carried over: " + carried);
    }
  }

  private static OperationStory awaitQuarantine(Stage stage, OperationId export)
      throws InterruptedException {
    return Patience.until(
        () -> Optional.of(stage.story(export)).filter(story -> story.quarantine().count() > 0),
        "the late success was not set aside");
  }

  /** Has its effect, and says so only when it is told to. */
  private record Hanging(MandatedExportActivities exports, CountDownLatch goOn)
      implements MandatedExportActivities {
    @Override
    public ExportedDocument exportUnderMandate(
        String exportId, BindingRef mandate, ExportRequest request) {
      ExportedDocument exported = exports.exportUnderMandate(exportId, mandate, request);
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return exported;
    }
  }
}
