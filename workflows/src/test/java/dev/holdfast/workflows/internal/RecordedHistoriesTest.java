package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.WorkflowReplayer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories of a real server, recorded with and without Holdfast, replay as the page says. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordedHistoriesTest {
  private static final AtomicReference<RecordedRun> RUN = new AtomicReference<>();
  private static final Bench FENCED = Bench.fenced(RecordedHistoriesTest::script);
  private static final Bench BARE = Bench.bare(RecordedHistoriesTest::script);

  private static final Pattern IDENTITY =
      Pattern.compile("\"identity\":\\s*\"([^\"]*)\"|\"name\":\\s*\"([^\":]*):[^\"]*\"");

  private static String script() {
    return Objects.requireNonNull(RUN.get()).script.get();
  }

  @AfterAll
  static void close() {
    FENCED.close();
    BARE.close();
  }

  private static String json(RecordedRun run) throws IOException {
    String name = "/histories/server-1.29.1/" + run.fileName();
    try (InputStream json = RecordedHistoriesTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(json, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void replay(RecordedRun run, Bench bench) throws Exception {
    RUN.set(run);
    WorkflowReplayer.replayWorkflowExecution(
        WorkflowExecutionHistory.fromJson(json(run)), bench.worker);
  }

  @ParameterizedTest
  @EnumSource
  void with_holdfast(RecordedRun run) {
    assertThat(run.replaysWith).isTrue();
    assertThatCode(() -> replay(run, FENCED)).doesNotThrowAnyException();
    assertThat(FENCED.exports.executions).hasValue(0);
    assertThat(FENCED.ledger.queries).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void without_holdfast(RecordedRun run) {
    if (run.replaysWithout) {
      assertThatCode(() -> replay(run, BARE)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> replay(run, BARE)).isNotNull();
    }
    assertThat(BARE.exports.executions).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void each_bears_the_version_that_it_was_recorded_for(RecordedRun run) throws IOException {
    Stream<String> versions =
        WorkflowExecutionHistory.fromJson(json(run)).getEvents().stream()
            .filter(event -> event.hasMarkerRecordedEventAttributes())
            .map(event -> event.getMarkerRecordedEventAttributes())
            .filter(marker -> marker.getMarkerName().equals("Version"))
            .map(
                marker ->
                    marker.getDetailsOrThrow("version").getPayloads(0).getData().toStringUtf8());

    if (run.version() != Integer.MAX_VALUE) {
      assertThat(versions).containsExactly(Integer.toString(run.version()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void none_names_a_machine_or_a_person(RecordedRun run) throws IOException {
    assertThat(IDENTITY.matcher(json(run)).results())
        .isNotEmpty()
        .allSatisfy(
            found ->
                assertThat(found.group(1) == null ? found.group(2) : found.group(1))
                    .isEqualTo("recorder"));
  }
}
