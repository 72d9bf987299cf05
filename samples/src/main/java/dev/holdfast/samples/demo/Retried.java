package dev.holdfast.samples.demo;

import dev.holdfast.samples.upstream.Behaviour;
import dev.holdfast.samples.upstream.Hold;
import java.time.Duration;

/** The exporter answers after Temporal has given the attempt up and started another. */
final class Retried implements Scenario {
  private static final Duration PAST_START_TO_CLOSE = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "retried";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "shared");
  }

  @Override
  public Score play(Stage stage) {
    Narrator.say(
        "\n%s: the exporter exports, but answers only after the time-out.".formatted(name()));
    stage.exporter().behave(new Behaviour.AnswerLate(new Hold.For(PAST_START_TO_CLOSE)));
    SharingPlay play = new SharingPlay(stage, name());
    boolean shared = play.run();
    Narrator.say("  The second attempt sent the same key under a new token: one export.");
    return play.score(shared);
  }
}
