package dev.holdfast.ledger;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The page that sets each sentence of the seeds beside its test, held to the tests there are. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SentencesPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SENTENCE =
      Pattern.compile("^\\| (\\d)\\.(\\d+) \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test\\.\\w*)`");

  /** From the annotation to the method that bears it: a helper's name shows nothing. */
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*+\\bvoid (\\w+)\\(",
          Pattern.DOTALL);

  private record Sentence(int seed, int number, String shownBy) {
    Set<String> tests() {
      return NAMED
          .matcher(shownBy)
          .results()
          .map(m -> m.group(1))
          .collect(toCollection(TreeSet::new));
    }

    boolean isOpen() {
      return shownBy.contains("*open*");
    }
  }

  private final List<Sentence> sentences;

  SentencesPageTest() throws IOException {
    String page = Files.readString(ROOT.resolve("ledger/docs/sentences.md"));
    sentences =
        SENTENCE
            .matcher(page)
            .results()
            .map(
                row ->
                    new Sentence(
                        Integer.parseInt(row.group(1)),
                        Integer.parseInt(row.group(2)),
                        row.group(4)))
            .toList();
    // a row that the pattern does not see would be held to nothing
    assertThat(page.lines().filter(line -> line.matches("\\| \\d.*"))).hasSameSizeAs(sentences);
  }

  @Test
  void every_test_that_is_named_exists() throws IOException {
    Set<String> named =
        sentences.stream()
            .flatMap(sentence -> sentence.tests().stream())
            .collect(toCollection(TreeSet::new));

    assertThat(existing()).containsAll(named);
  }

  @Test
  void a_method_that_nobody_runs_is_no_test() {
    String source =
        """
        @BeforeEach
        void prepares() {}

        @Test // case A5
        void is_run() {}

        void helps() {}

        @ParameterizedTest
        @ValueSource(strings = {"a", "b"})
        void is_run_for_each(String one) {}

        private void lost_its_annotation() {}
        """;

    assertThat(tests(source)).containsExactly("is_run", "is_run_for_each");
  }

  @Test
  void a_sentence_has_a_test_or_is_marked_open() {
    assertThat(sentences).allMatch(sentence -> sentence.isOpen() || !sentence.tests().isEmpty());
  }

  @Test
  void no_sentence_is_left_out_of_the_numbering() {
    assertThat(numbers(2)).isEqualTo(IntStream.rangeClosed(1, 44).boxed().toList());
    assertThat(numbers(1)).isEqualTo(IntStream.rangeClosed(1, 14).boxed().toList());
  }

  private List<Integer> numbers(int seed) {
    return sentences.stream().filter(one -> one.seed() == seed).map(Sentence::number).toList();
  }

  private static Set<String> existing() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> file.toString().contains("src"))
          .flatMap(SentencesPageTest::methods)
          .collect(toCollection(TreeSet::new));
    }
  }

  private static Stream<String> methods(Path file) {
    String name = file.getFileName().toString().replace(".java", "");
    try {
      return tests(Files.readString(file)).map(test -> name + "." + test);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> tests(String source) {
    return TEST.matcher(source).results().map(match -> match.group(1));
  }
}
