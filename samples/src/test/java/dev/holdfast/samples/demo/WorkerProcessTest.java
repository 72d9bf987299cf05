package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A worker process that says nothing more hangs nobody who waits for its word. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkerProcessTest {
  /** Says what it is told. */
  static final class Echo {
    private Echo() {}

    /** No arguments. */
    public static void main(String[] args) throws IOException {
      Narrator.say(WorkerProcess.POLLING);
      BufferedReader told =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = told.readLine(); line != null; line = told.readLine()) {
        Narrator.say(line);
      }
    }
  }

  @Test
  void a_line_that_does_not_come_is_named_and_the_last_one_that_did() throws Exception {
    try (WorkerProcess echo = WorkerProcess.start(Echo.class, List.of())) {
      echo.tell("first");
      echo.awaitLine("first");

      assertThatThrownBy(() -> echo.awaitLine("second", Duration.ofMillis(10)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("\"second\"")
          .hasMessageContaining("PT0.01S");

      echo.tell("second");
      echo.awaitLine("second");
    }
  }

  @Test
  void a_worker_that_ended_is_told_with_its_last_line() throws Exception {
    WorkerProcess echo = WorkerProcess.start(Echo.class, List.of());
    echo.tell("last");
    echo.tell("words");
    echo.awaitLine("last");
    echo.awaitLine("words");
    echo.close();

    assertThatThrownBy(() -> echo.awaitLine("more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended before it printed \"more\"");
  }
}
