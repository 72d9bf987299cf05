package dev.holdfast.activities;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page that says which test shows what, held to the tests of all modules. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BarrierPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

  /** From the annotation to the method that bears it: a helper's name shows nothing. */
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*+\\bvoid (\\w+)\\(",
          Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger/docs/barrier.md",
        "activities/README.md",
        "activities/docs/evidence.md",
        "activities/docs/entrances.md",
        "activities/docs/life.md",
        "workflows/docs/keys.md",
        "workflows/docs/adopting.md"
      })
  void every_test_that_is_named_exists(String page) throws IOException {
    Set<String> named =
        NAMED
            .matcher(Files.readString(ROOT.resolve(page)))
            .results()
            .map(match -> match.group(1) + "." + match.group(2))
            .collect(toCollection(TreeSet::new));

    assertThat(named).isNotEmpty();
    assertThat(existing()).containsAll(named);
  }

  @Test
  void each_failure_has_a_diagram_and_a_test_that_plays_it() throws IOException {
    Map<String, String> sections =
        Stream.of(Files.readString(ROOT.resolve("activities/README.md")).split("\n## "))
            .skip(1)
            .collect(
                toMap(
                    section -> section.lines().findFirst().orElseThrow(),
                    Function.identity(),
                    (one, other) -> one,
                    LinkedHashMap::new));

    assertThat(sections.keySet())
        .containsExactly(
            "Crash before the dispatch",
            "Crash after the effect",
            "Lost answer",
            "Lease over",
            "Preempted",
            "Time-out, and a late success",
            "Reset",
            "Cancellation");
    assertThat(sections.values())
        .allSatisfy(
            section ->
                assertThat(section)
                    .contains("```mermaid\nsequenceDiagram\n")
                    .containsPattern(NAMED));
  }

  private static Set<String> existing() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> file.toString().contains("src"))
          .flatMap(BarrierPageTest::methods)
          .collect(toCollection(TreeSet::new));
    }
  }

  private static Stream<String> methods(Path file) {
    String name = file.getFileName().toString().replace(".java", "");
    try {
      return TEST.matcher(Files.readString(file))
          .results()
          .map((MatchResult match) -> name + "." + match.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
