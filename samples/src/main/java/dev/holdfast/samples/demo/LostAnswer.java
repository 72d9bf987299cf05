package dev.holdfast.samples.demo;

import dev.holdfast.samples.upstream.Behaviour;

/** The exporter exports and the connection breaks before its answer: nobody saw what happened. */
final class LostAnswer implements Scenario {
  @Override
  public String name() {
    return "lost-answer";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "shared");
  }

  @Override
  public Score play(Stage stage) {
    Narrator.say("\n%s: the exporter exports, and its answer is lost.".formatted(name()));
    stage.exporter().behave(new Behaviour.LoseAnswer());
    SharingPlay play = new SharingPlay(stage, name());
    boolean shared = play.run();
    Narrator.say("  The attempt stayed open; the next one asked with the same key: one export.");
    return play.score(shared);
  }
}
