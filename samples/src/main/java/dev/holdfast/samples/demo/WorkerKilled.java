package dev.holdfast.samples.demo;

import dev.holdfast.ledger.OperationStory;
import dev.holdfast.samples.sharing.SharedLink;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker process dies hard between the effect and its receipt; another worker takes over. */
final class WorkerKilled implements Scenario {
  // longer than Temporal takes to try again, so that the figure shows what the lease costs
  private static final Duration LEASE = Duration.ofSeconds(6);

  @Override
  public String name() {
    return "worker-killed";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "shared");
  }

  @Override
  @SuppressWarnings("try") // the workers serve by being there
  public Score play(Stage stage) throws Exception {
    Narrator.say("\n%s: a worker process has exported and dies.".formatted(name()));
    String queue = stage.key(name());
    SharingPlay play = new SharingPlay(stage, name(), queue);
    try (FencedWorker workflows = stage.workflowsOn(queue)) {
      CompletableFuture<SharedLink> shared;
      Duration rest;
      Instant killed;
      try (WorkerProcess doomed = play.holdingWorker(LEASE)) {
        shared = play.start();
        doomed.awaitLine(HoldingWorker.EFFECT_DONE);
        killed = stage.now();
        rest = stage.story(play.export()).operation().leaseRest();
      }
      Narrator.say("  The exporter has exported, the ledger has no receipt: killed.");
      try (FencedWorker second = stage.activitiesOn(queue)) {
        shared.get(60, TimeUnit.SECONDS);
      }
      Narrator.say("  The second worker waited for the lease and sent the same key: one export.");
      sayFigure(stage.story(play.export()), killed, rest);
    }
    return play.score(true);
  }

  /** What a hard kill costs: the rest of the dead worker's lease, and one step of back-off. */
  private static void sayFigure(OperationStory story, Instant killed, Duration rest) {
    Duration takenOver = Duration.between(killed, story.attempts().getLast().claimedAt());
    Narrator.say(
        "FIGURE take-over ms=%d lease-rest ms=%d back-off ms=%d"
            .formatted(takenOver.toMillis(), rest.toMillis(), takenOver.minus(rest).toMillis()));
  }
}
