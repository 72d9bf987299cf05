package dev.holdfast.samples.demo;

/** Nothing fails. */
final class Plain implements Scenario {
  @Override
  public String name() {
    return "plain";
  }

  @Override
  public Score expected() {
    return new Score(1, 1, 2, true, "shared");
  }

  @Override
  public Score play(Stage stage) {
    Narrator.say("\n%s: export a document, then share it.".formatted(name()));
    SharingPlay play = new SharingPlay(stage, name());
    return play.score(play.run());
  }
}
