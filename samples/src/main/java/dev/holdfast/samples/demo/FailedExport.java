package dev.holdfast.samples.demo;

import dev.holdfast.EffectId;
import dev.holdfast.Epoch;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.LedgerIncarnation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import dev.holdfast.samples.sharing.ForgedShareWorkflow;
import dev.holdfast.samples.sharing.ShareRequest;
import dev.holdfast.samples.upstream.Behaviour;
import io.temporal.client.WorkflowException;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import java.util.Set;

/**
 * The exporter says no, for good; share stays closed, even to a workflow that tries it all the
 * same.
 */
final class FailedExport implements Scenario {
  private static final Set<String> REFUSED =
      Set.of(HoldfastFailures.GATE_CLOSED, HoldfastFailures.LEDGER_WENT_BACK);

  @Override
  public String name() {
    return "failed-export";
  }

  @Override
  public Score expected() {
    return new Score(0, 0, 0, false, "refused");
  }

  @Override
  public Score play(Stage stage) {
    Narrator.say("\n%s: the exporter rejects the document.".formatted(name()));
    stage.exporter().behave(new Behaviour.Status(422, false));
    SharingPlay play = new SharingPlay(stage, name());
    boolean shared = play.run();
    Narrator.say("  A careless workflow shares all the same, with a forged reference.");
    boolean gateOpen = shared || passesGate(stage, play);
    return play.score(gateOpen, gateOpen ? "shared" : "refused");
  }

  private static boolean passesGate(Stage stage, SharingPlay play) {
    try {
      stage
          .workflow(ForgedShareWorkflow.class, "forged")
          .run(play.share().key(), forged(play), new ShareRequest("auditors"));
      return true;
    } catch (WorkflowException e) {
      return !isGateClosed(e);
    }
  }

  private static boolean isGateClosed(WorkflowException e) {
    return e.getCause() instanceof ActivityFailure activity
        && activity.getCause() instanceof ApplicationFailure failure
        && REFUSED.contains(failure.getType());
  }

  private static OperationRef forged(SharingPlay play) {
    return new OperationRef(
        new Scope("default"),
        new OperationId(play.export().type(), play.export().key()),
        new RequestFingerprint("fp1", "0".repeat(64)),
        new Generation(0),
        new Epoch(0),
        new EffectId("forged"),
        new ReceiptNumber(1),
        new LedgerIncarnation(1, 1));
  }
}
