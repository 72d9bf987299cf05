package dev.holdfast.samples.demo;

import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.samples.sharing.SharedLink;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A worker process is stopped between the effect and its receipt, another worker takes over and
 * finishes, and then the first one wakes and goes on as if nothing had happened.
 */
final class Zombie implements Scenario {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @Override
  public String name() {
    return "zombie";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "shared");
  }

  @Override
  @SuppressWarnings("try") // the workers serve by being there
  public Score play(Stage stage) throws Exception {
    Narrator.say("\n%s: a worker process has exported and is stopped.".formatted(name()));
    String queue = stage.key(name());
    SharingPlay play = new SharingPlay(stage, name(), queue);
    try (FencedWorker workflows = stage.workflowsOn(queue);
        WorkerProcess sleeper = play.holdingWorker(LEASE)) {
      CompletableFuture<SharedLink> shared = play.start();
      sleeper.awaitLine(HoldingWorker.EFFECT_DONE);
      FencingToken stale = stage.story(play.export()).operation().token();
      sleeper.stop();
      sleeper.tell("go on");
      try (FencedWorker second = stage.activitiesOn(queue)) {
        shared.get(60, TimeUnit.SECONDS);
      }
      Narrator.say("  Another worker took over and shared. Now the first one wakes.");
      sleeper.wake();
      String outcome = outcome(awaitLateSuccess(stage, play), stale);
      Narrator.say("  It told its success under an old token: recorded, nothing changed.");
      return play.score(outcome.equals("shared"), outcome);
    }
  }

  /** The ledger keeps what a late holder saw: only so is it known that it woke. */
  private static OperationStory awaitLateSuccess(Stage stage, SharingPlay play)
      throws InterruptedException {
    return Patience.until(
        () ->
            Optional.of(stage.story(play.export()))
                .filter(
                    story ->
                        story.observations().stream()
                            .anyMatch(seen -> seen.kind().equals("succeeded"))),
        "the stopped worker woke and told nothing");
  }

  private static String outcome(OperationStory story, FencingToken stale) {
    boolean one = story.receipts().size() == 1;
    return one && !story.receipts().getFirst().receipt().token().equals(stale)
        ? "shared"
        : "overwritten";
  }
}
