package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureSettlementTest {
  private static final DataConverter CONVERTER = DefaultDataConverter.newDefaultInstance();

  private static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  private static String failureOfFind() {
    try {
      return find();
    } catch (ActivityFailure e) {
      return String.valueOf(e.getCause() instanceof ApplicationFailure a ? a.getType() : e);
    }
  }

  @Test
  void a_completed_operation_overrules_the_failure() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench.ledger.then(value("late"));

      assertThat(bench.run()).isEqualTo("found late");
      assertThat(bench.exports.executions).hasValue(1);
      assertThat(bench.ledger.queries).singleElement().satisfies(this::namesTheOperation);
    }
  }

  private void namesTheOperation(LookupQuery query) {
    assertThat(query.operation().text()).isEqualTo("Find:e-1");
    assertThat(query.scope().value()).isEqualTo("tenant");
    assertThat(query.fingerprint().scheme()).isEqualTo(Fingerprint.SCHEME);
  }

  @Test
  void a_start_to_close_time_out_is_overruled_by_the_receipt_that_came_late() {
    CountDownLatch answered = new CountDownLatch(1);
    Supplier<String> script =
        () -> {
          ActivityOptions options =
              ActivityOptions.newBuilder(Bench.options())
                  .setStartToCloseTimeout(Duration.ofSeconds(1))
                  .build();
          return "found " + Workflow.newActivityStub(Exports.class, options).find("e-1");
        };
    try (Bench bench = Bench.fenced(script)) {
      bench.exports.finding = () -> awaited(answered);
      bench.ledger.then(ScriptedLedger.row(LookedUp.State.IN_PROGRESS, 1)).then(value("late"));

      assertThat(bench.run()).isEqualTo("found late");
      answered.countDown();
    }
  }

  @Test
  void a_live_lease_is_waited_for_with_one_look_up_at_a_time() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench
          .ledger
          .then(ScriptedLedger.row(LookedUp.State.IN_PROGRESS, 1))
          .then(ScriptedLedger.row(LookedUp.State.IN_PROGRESS, 1))
          .then(value("late"));

      assertThat(bench.run()).isEqualTo("found late");
      assertThat(bench.ledger.queries).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LookedUp.State.class,
      names = {"ABSENT", "OTHER_TUPLE", "UNKNOWN", "WENT_BACK"})
  void without_a_completion_and_without_an_open_attempt_the_failure_stands(LookedUp.State state) {
    try (Bench bench = failing(FailureSettlementTest::failureOfFind)) {
      bench.ledger.then(ScriptedLedger.row(state, 0));

      assertThat(bench.run()).isEqualTo("No");
    }
  }

  @Test
  void an_open_attempt_behind_the_last_failure_is_an_unknown_outcome() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench.ledger.then(ScriptedLedger.row(LookedUp.State.UNKNOWN, 1));

      assertThatThrownBy(bench::run)
          .isInstanceOf(WorkflowFailedException.class)
          .cause()
          .isInstanceOf(ActivityFailure.class)
          .cause()
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              failure -> {
                assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
                assertThat(failure.isNonRetryable()).isTrue();
                assertThat(failure.getCause()).hasMessageContaining("type='No'");
              });
    }
  }

  @Test
  void a_failure_that_hides_a_definite_one_is_a_rejection() {
    try (Bench bench = failing(FailureSettlementTest::failureOfFind)) {
      bench.ledger.then(LookedUp.failed(new LookedUp.Failure("http-422", 422)));

      assertThat(bench.run()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
    }
  }

  @Test
  void a_failure_that_hides_a_conflict_tells_of_it() {
    try (Bench bench = failing(FailureSettlementTest::failureOfFind)) {
      bench.ledger.then(ScriptedLedger.row(LookedUp.State.CONFLICT, 0));

      assertThat(bench.run()).isEqualTo(HoldfastFailures.OPERATION_CONFLICTED);
    }
  }

  @Test
  void a_failure_that_says_how_the_operation_stands_is_left_as_it_is() {
    Supplier<String> script =
        () -> {
          try {
            return find();
          } catch (ActivityFailure e) {
            return String.valueOf(e.getCause());
          }
        };
    try (Bench bench = Bench.fenced(script)) {
      bench.exports.finding =
          () -> {
            throw ApplicationFailure.newNonRetryableFailure(
                "the worker's own words", HoldfastFailures.UPSTREAM_REJECTED);
          };
      bench.ledger.then(LookedUp.failed(new LookedUp.Failure("http-422", 422)));

      assertThat(bench.run()).contains("the worker's own words");
    }
  }

  @Test
  void a_ledger_that_does_not_answer_is_asked_again() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench
          .ledger
          .then(
              () -> {
                throw HoldfastFailures.ledgerUnavailable("test", "down");
              })
          .then(value("late"));

      assertThat(bench.run()).isEqualTo("found late");
      assertThat(bench.ledger.queries).hasSize(2);
    }
  }

  static Stream<ApplicationFailure> refusals() {
    return Stream.of(
        HoldfastFailures.invalidOperation("test", "no"),
        HoldfastFailures.notProtectable("test", "no"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void a_refusal_by_the_worker_may_hide_what_an_earlier_attempt_did(ApplicationFailure refusal) {
    try (Bench bench = Bench.fenced(FailureSettlementTest::find)) {
      bench.exports.finding =
          () -> {
            throw refusal;
          };
      bench.ledger.then(value("earlier"));

      assertThat(bench.run()).isEqualTo("found earlier");
    }
  }

  @Test
  void a_large_result_is_fetched_by_scheduling_the_activity_once_more() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench.ledger.then(
          () -> {
            bench.exports.finding = () -> "stored";
            return ScriptedLedger.completed(LookedUp.ResultKind.TOO_LARGE, null);
          });

      assertThat(bench.run()).isEqualTo("found stored");
      assertThat(bench.workerSide.executed).containsExactly("Find", "HoldfastLedgerLookup", "Find");
      assertThat(bench.workerSide.sent)
          .extracting(sent -> sent.header().fetches())
          .containsExactly(false, true);
    }
  }

  @Test
  void a_completion_without_a_stored_result_is_not_transportable() {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      bench.ledger.then(ScriptedLedger.completed(LookedUp.ResultKind.NOT_STORED, null));

      failsWith(bench, HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    }
  }

  @Test
  void a_stored_result_that_does_not_decode_is_said_so_and_never_run_again() {
    try (Bench bench = failing(() -> Bench.stub().exportAll("e-1").getFirst().id())) {
      bench.exports.exporting = FailureSettlementTest::fail;
      bench.ledger.then(value("no list"));

      failsWith(bench, HoldfastFailures.REPLAY_UNDECODABLE);
      assertThat(bench.exports.executions).hasValue(1);
    }
  }

  // case A14
  @Test
  void a_stored_generic_result_keeps_its_element_type() {
    try (Bench bench = failing(() -> "" + Bench.stub().exportAll("e-1").getFirst().pages())) {
      bench.exports.exporting = FailureSettlementTest::fail;
      bench.ledger.then(value(List.of(new Exports.Document("d", 7))));

      assertThat(bench.run()).isEqualTo("7");
    }
  }

  static Stream<@Nullable Object> empties() {
    return Stream.of(null, "");
  }

  // case B1
  @ParameterizedTest
  @MethodSource("empties")
  void a_stored_null_or_empty_value_is_a_value(@Nullable String empty) {
    try (Bench bench = failing(FailureSettlementTest::find)) {
      StoredPayload stored =
          StoredPayload.ofBytes(CONVERTER.toPayload(empty).orElseThrow().toByteArray());
      bench.ledger.then(
          ScriptedLedger.completed(
              empty == null ? LookedUp.ResultKind.NULL : LookedUp.ResultKind.VALUE, stored));

      assertThat(bench.run()).isEqualTo("found " + empty);
    }
  }

  // case B1
  @Test
  void a_completed_void_operation_overrules_too_and_brings_its_reference() {
    try (Bench bench =
        failing(() -> FencedActivities.run(Bench.stub()::delete, "e-1").ref().operation().key())) {
      bench.ledger.then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));

      assertThat(bench.run()).isEqualTo("e-1");
    }
  }

  @Test
  void a_captured_call_gets_the_reference_of_what_overruled_its_failure() {
    try (Bench bench =
        failing(
            () -> {
              var found = FencedActivities.call(Bench.stub()::find, "e-1");
              return found.value() + " " + found.ref().receipt() + " " + found.replayed();
            })) {
      bench.ledger.then(value("late"));

      assertThat(bench.run()).isEqualTo("late 9007199254740993 true");
    }
  }

  @Test
  void stored_payloads_keep_their_codecs_encoding_and_fetched_ones_are_decoded_once() {
    try (Bench bench =
        Bench.encrypted(() -> find() + ", " + FencedActivities.call(Bench.stub()::find, "e-2"))) {
      bench.exports.finding = FailureSettlementTest::fail;
      bench
          .ledger
          .then(
              ScriptedLedger.completed(
                  LookedUp.ResultKind.VALUE,
                  StoredPayload.ofBytes(
                      Bench.codec().toPayload("late").orElseThrow().toByteArray())))
          .then(
              () -> {
                bench.exports.finding = () -> "stored";
                return ScriptedLedger.completed(LookedUp.ResultKind.TOO_LARGE, null);
              });

      assertThat(bench.run()).startsWith("found late, Settled[value=stored, ref=");
    }
  }

  @Test
  void a_cancelled_activity_that_committed_gives_its_value_to_the_cancelled_workflow() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    try (Bench bench = Bench.fenced(FailureSettlementTest::cancelled)) {
      bench.exports.finding =
          () -> {
            if (running.getCount() == 0) {
              return "later";
            }
            running.countDown();
            return awaited(answered);
          };
      bench.ledger.then(ScriptedLedger.row(LookedUp.State.IN_PROGRESS, 1)).then(value("late"));
      WorkflowStub workflow = WorkflowStub.fromTyped(bench.start());
      awaited(running);
      workflow.cancel();

      assertThatThrownBy(() -> workflow.getResult(String.class))
          .cause()
          .isInstanceOf(CanceledFailure.class);
      answered.countDown();
      assertThat(bench.exports.executions).hasValue(2);
      assertThat(bench.workerSide.executed).last().isEqualTo("Plain");
    }
  }

  /**
   * Records what the settlement gave by an activity, because a cancelled workflow has no result.
   */
  private static String cancelled() {
    ActivityOptions options =
        ActivityOptions.newBuilder(Bench.options())
            .setCancellationType(ActivityCancellationType.TRY_CANCEL)
            .build();
    String found = Workflow.newActivityStub(Exports.class, options).find("e-1");
    if (!"late".equals(found)) {
      return "nothing";
    }
    Workflow.newDetachedCancellationScope(() -> Bench.stub().plain("p")).run();
    throw new CanceledFailure("done");
  }

  private static Bench failing(Supplier<String> script) {
    Bench bench = Bench.fenced(script);
    bench.exports.finding = FailureSettlementTest::fail;
    return bench;
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T fail() {
    throw ApplicationFailure.newNonRetryableFailure("no", "No");
  }

  private static LookedUp value(Object value) {
    return ScriptedLedger.completed(
        LookedUp.ResultKind.VALUE,
        StoredPayload.ofBytes(CONVERTER.toPayload(value).orElseThrow().toByteArray()));
  }

  private static String awaited(CountDownLatch latch) {
    try {
      latch.await();
      return "answered";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void failsWith(Bench bench, String type) {
    assertThatThrownBy(bench::run)
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }
}
