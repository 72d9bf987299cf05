package dev.holdfast.samples.demo;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.samples.notice.NoticeWorkflow;
import dev.holdfast.samples.upstream.Behaviour;
import io.temporal.client.WorkflowClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The answer of an upstream that honours no key is lost: nothing is sent again, the workflow waits,
 * and a person who looked at the upstream says what happened.
 */
final class ParkedAndResolved implements Scenario {
  private static final String AS_THE_PERSON_FOUND_IT = "https://share.example/found-by-a-person";

  @Override
  public String name() {
    return "parked-and-resolved";
  }

  @Override
  public Score expected() {
    return new Score(0, 1, 1, false, "resolved");
  }

  @Override
  public Score play(Stage stage) throws Exception {
    Narrator.say("\n%s: a notice is posted, and the answer is lost.".formatted(name()));
    int before = stage.publisher().effects().size();
    OperationId notice = new OperationId("Post", stage.key(name()));
    stage.publisher().behave(new Behaviour.LoseAnswer());
    NoticeWorkflow workflow = stage.workflow(NoticeWorkflow.class, name());
    CompletableFuture<String> posted =
        WorkflowClient.execute(workflow::run, notice.key(), "everybody");
    AwaitingOperation parked =
        Patience.until(() -> stage.parked(notice), "the operation did not park");
    Narrator.say("  Nobody knows, nothing is sent again, the workflow waits. A person looks:");
    resolve(stage, parked);
    String told = posted.get(30, TimeUnit.SECONDS);
    Narrator.say("  The workflow went on with what the person said.");
    return new Score(
        0,
        stage.publisher().effects().size() - before,
        stage.receipts(notice),
        false,
        told.equals(AS_THE_PERSON_FOUND_IT) ? "resolved" : "posted");
  }

  private static void resolve(Stage stage, AwaitingOperation parked) throws Exception {
    OperatorTool.run(
        stage.backends(),
        "resolve",
        "--scope",
        parked.scope().value(),
        "--actor",
        "the demo",
        "--reason",
        "the publisher shows the notice",
        "--happened",
        "--result",
        '"' + AS_THE_PERSON_FOUND_IT + '"',
        parked.operation().text());
  }
}
