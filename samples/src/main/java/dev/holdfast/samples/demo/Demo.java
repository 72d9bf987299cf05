package dev.holdfast.samples.demo;

import java.util.List;

/**
 * Plays every scenario and says what happened at the upstreams. Needs nothing: PostgreSQL and
 * Temporal are embedded, unless {@code LEDGER_JDBC_URL} and {@code TEMPORAL_ADDRESS} name others.
 *
 * <p>Ends with 0 if every count is right, with 1 if one is not.
 */
public final class Demo {
  private static final List<Scenario> SCENARIOS =
      List.of(
          new Plain(),
          new Retried(),
          new LostAnswer(),
          new FailedExport(),
          new SameTransaction(),
          new WorkerKilled(),
          new Zombie(),
          new ParkedAndResolved(),
          new StaleBinding());

  private Demo() {}

  /** See the class. */
  public static void main(String[] args) {
    System.exit(status());
  }

  // what was opened before a failure keeps threads of its own: only an exit ends the process
  private static int status() {
    try {
      return play() ? 0 : 1;
    } catch (Exception e) {
      Narrator.say("DEMO failed: %s".formatted(e));
      return 1;
    }
  }

  private static boolean play() throws Exception {
    boolean right = true;
    int duplicates = 0;
    try (Backends backends = Backends.fromEnvironment();
        Stage stage = new Stage(backends)) {
      for (Scenario scenario : SCENARIOS) {
        Score score = scenario.play(stage);
        right &= score.print(scenario);
        duplicates += score.duplicates();
      }
    }
    Narrator.say(
        "DEMO %s scenarios=%d duplicates=%d"
            .formatted(right && duplicates == 0 ? "ok" : "failed", SCENARIOS.size(), duplicates));
    return right && duplicates == 0;
  }
}
