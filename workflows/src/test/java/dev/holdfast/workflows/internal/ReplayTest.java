package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.WorkflowReplayer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which histories replay when Holdfast comes and goes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplayTest {
  private static final LookedUp PARKED = ScriptedLedger.row(LookedUp.State.PARKED, 1);

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

  @Test
  void a_wait_replays() {
    Supplier<String> script = ReplayTest::find;
    try (Bench bench = failing(Bench.skippingTime(script))) {
      bench
          .ledger
          .then(PARKED)
          .then(PARKED)
          .then(
              () -> {
                throw HoldfastFailures.ledgerUnavailable("test", "down");
              })
          .then(completed());

      assertThat(bench.run()).isEqualTo("found late");
      assertReplays(bench.history(), script);
    }
  }

  @Test
  void a_wait_that_a_signal_ended_replays() {
    Supplier<String> script = ReplayTest::find;
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(PARKED);
      bench.start();
      await().until(() -> !bench.timers().isEmpty());
      bench.ledger.then(completed());
      bench.signal();

      assertThat(bench.running().getResult(String.class)).isEqualTo("found late");
      assertReplays(bench.history(), script);
    }
  }

  @Test
  void a_wait_that_a_second_run_followed_replays() {
    Supplier<String> script =
        () -> FencedActivities.call(Bench.stub()::find, "e-1").value() + Bench.stub().plain("p");
    try (Bench bench = failing(Bench.skippingTime(script))) {
      bench
          .ledger
          .then(PARKED)
          .then(ScriptedLedger.row(LookedUp.State.UNKNOWN, 0))
          .then(PARKED)
          .then(
              () -> {
                bench.exports.finding = () -> "second ";
                return ScriptedLedger.row(LookedUp.State.UNKNOWN, 0);
              });

      assertThat(bench.run()).isEqualTo("second second ");
      assertReplays(bench.history(), script);
    }
  }

  @Test
  void a_wait_that_a_cancellation_ended_replays() {
    Supplier<String> script = ReplayTest::find;
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(PARKED);
      bench.start();
      await().until(() -> !bench.timers().isEmpty());
      bench.running().cancel();

      assertThatThrownBy(() -> bench.running().getResult(String.class))
          .hasCauseInstanceOf(CanceledFailure.class);
      assertReplays(bench.history(), script);
    }
  }

  /** Recorded when a parked operation failed its caller, and a failed one was not told of. */
  @ParameterizedTest
  @ValueSource(strings = {"settlement-1-parked", "settlement-1-failed"})
  void a_failure_from_before_there_was_a_wait_replays_as_the_failure_it_was(String name)
      throws IOException {
    assertReplays(recorded(name), ReplayTest::findOrTellWhy);
  }

  /** Recorded when a decision before the first look was not heard. */
  @Test
  void a_failure_from_before_early_decisions_counted_replays_as_the_failure_it_was()
      throws IOException {
    assertReplays(recorded("settlement-2-undone"), ReplayTest::findOrTellWhy);
  }

  @Test
  void a_run_that_picked_evidence_up_replays() {
    Supplier<String> script = ReplayTest::find;
    try (Bench bench = failing(Bench.skippingTime(script))) {
      bench
          .ledger
          .then(PARKED)
          .then(
              () -> {
                bench.exports.finding = () -> "late";
                return PARKED.withPendingEvidence(1);
              })
          .then(ScriptedLedger.row(LookedUp.State.CONFLICT, 0));

      assertThat(bench.run()).isEqualTo("found late");
      assertReplays(bench.history(), script);
    }
  }

  @Test
  void a_wait_for_anothers_retry_replays() {
    Supplier<String> script = ReplayTest::find;
    try (Bench bench = failing(Bench.skippingTime(script))) {
      LookedUp open =
          ScriptedLedger.row(LookedUp.State.UNKNOWN, 1)
              .withLastAttempt(new LookedUp.ActivityIdentity("another", "run", "activity"), 1);
      bench.ledger.then(open).then(open).then(PARKED).then(completed());

      assertThat(bench.run()).isEqualTo("found late");
      assertReplays(bench.history(), script);
    }
  }

  private static String findOrTellWhy() {
    try {
      return find();
    } catch (ActivityFailure e) {
      String type = e.getCause() instanceof ApplicationFailure a ? a.getType() : "other";
      return type + " " + Bench.stub().plain("instead");
    }
  }

  private static WorkflowExecutionHistory recorded(String name) throws IOException {
    try (InputStream json = ReplayTest.class.getResourceAsStream("/histories/" + name + ".json")) {
      return WorkflowExecutionHistory.fromJson(
          new String(json.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Bench failing(Bench bench) {
    bench.exports.finding =
        () -> {
          throw ApplicationFailure.newNonRetryableFailure("no", "No");
        };
    return bench;
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

  private static LookedUp completed() {
    byte[] stored =
        DefaultDataConverter.newDefaultInstance().toPayload("late").orElseThrow().toByteArray();
    return ScriptedLedger.completed(LookedUp.ResultKind.VALUE, StoredPayload.ofBytes(stored));
  }

  private static WorkflowExecutionHistory record(Bench bench, boolean failing) {
    bench.ledger.then(completed());
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
