package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.workflows.FencedActivities;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.WorkflowReplayer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which histories replay when Holdfast comes and goes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplayTest {
  private static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  private static String findTwiceOrElse() {
    String first = orElse("e-1");
    return first + orElse("e-2");
  }

  private static String orElse(String id) {
    try {
      return String.valueOf(Bench.stub().find(id));
    } catch (ActivityFailure e) {
      return Bench.stub().plain("instead");
    }
  }

  @Test
  void a_success_from_before_holdfast_replays_with_it() {
    assertReplays(bare(ReplayTest::find, false), ReplayTest::find);
  }

  @Test
  void a_failure_from_before_holdfast_replays_with_it_as_the_failure_it_was() {
    assertReplays(bare(ReplayTest::findTwiceOrElse, true), ReplayTest::findTwiceOrElse);
  }

  @Test
  void a_key_that_was_scheduled_before_holdfast_replays_though_it_would_be_refused_now() {
    Supplier<String> script = () -> Bench.stub().find("ju\u0308rgen");

    assertReplays(bare(script, false), script);
  }

  @Test
  void a_success_with_holdfast_replays_with_it() {
    assertReplays(fenced(ReplayTest::find, false), ReplayTest::find);
  }

  @Test
  void a_settled_failure_replays_with_holdfast() {
    WorkflowExecutionHistory settled = fenced(ReplayTest::find, true);

    assertThat(settled.getEvents()).anyMatch(event -> event.hasMarkerRecordedEventAttributes());
    assertReplays(settled, ReplayTest::find);
  }

  @Test
  void a_settled_failure_does_not_replay_without_holdfast() {
    WorkflowExecutionHistory settled = fenced(ReplayTest::find, true);

    try (Bench bench = Bench.bare(ReplayTest::find)) {
      assertThatThrownBy(() -> WorkflowReplayer.replayWorkflowExecution(settled, bench.worker))
          .isNotNull();
    }
  }

  @Test
  void a_success_with_holdfast_replays_without_it() {
    WorkflowExecutionHistory history = fenced(ReplayTest::find, false);

    try (Bench bench = Bench.bare(ReplayTest::find)) {
      assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(history, bench.worker))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_refusal_replays_as_a_refusal() {
    Supplier<String> script =
        () -> {
          try {
            return String.valueOf(Bench.stub().find(" "));
          } catch (ApplicationFailure e) {
            return Bench.stub().plain("instead");
          }
        };

    assertReplays(fenced(script, false), script);
  }

  @Test
  void captured_calls_async_calls_and_gates_replay() {
    Supplier<String> script =
        () -> {
          Exports exports = Bench.stub();
          var two = FencedActivities.callAsync(exports::exportPlainly, "e-2");
          var one = FencedActivities.call(exports::find, "e-1");
          FencedActivities.requireCompleted(one.ref());
          return exports.share("s-1", two.get().ref());
        };

    assertReplays(fenced(script, false), script);
  }

  private static WorkflowExecutionHistory bare(Supplier<String> script, boolean failing) {
    try (Bench bench = Bench.bare(script)) {
      return record(bench, failing);
    }
  }

  private static WorkflowExecutionHistory fenced(Supplier<String> script, boolean failing) {
    try (Bench bench = Bench.fenced(script)) {
      return record(bench, failing);
    }
  }

  private static WorkflowExecutionHistory record(Bench bench, boolean failing) {
    byte[] stored =
        DefaultDataConverter.newDefaultInstance().toPayload("late").orElseThrow().toByteArray();
    bench.ledger.then(
        ScriptedLedger.completed(LookedUp.ResultKind.VALUE, StoredPayload.ofBytes(stored)));
    if (failing) {
      bench.exports.finding =
          () -> {
            bench.exports.finding = () -> "later";
            throw ApplicationFailure.newNonRetryableFailure("no", "No");
          };
    }
    assertThat(bench.run()).isNotEmpty();
    return bench.history();
  }

  private static void assertReplays(WorkflowExecutionHistory history, Supplier<String> script) {
    try (Bench bench = Bench.fenced(script)) {
      assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(history, bench.worker))
          .doesNotThrowAnyException();
      assertThat(bench.exports.executions).hasValue(0);
    }
  }
}
