package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.FencedActivities;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowFailedException;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a workflow does while a person is awaited, and once the person has decided. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurableWaitTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /** A listener that a workflow registers late. */
  public interface Greeted {
    /** Counts. */
    @SignalMethod
    void greet(String name);
  }

  private static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  @Test
  void a_parked_operation_is_waited_for_and_its_result_gone_on_with() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.PARKED, 1)).then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.scheduled()).isEqualTo(1);
      assertThat(bench.ledger.queries).hasSize(3);
    }
  }

  @Test
  void looks_are_a_minute_apart_at_first_and_an_hour_at_most() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      for (int look = 0; look < 9; look++) {
        bench.ledger.then(row(State.PARKED, 1));
      }
      bench.ledger.then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.timers())
          .containsExactly(
              MINUTE,
              MINUTE.multipliedBy(2),
              MINUTE.multipliedBy(4),
              MINUTE.multipliedBy(8),
              MINUTE.multipliedBy(16),
              MINUTE.multipliedBy(32),
              HOUR,
              HOUR,
              HOUR);
    }
  }

  @Test
  void a_signal_ends_the_pause_at_once() throws Exception {
    try (Bench bench = failing(Bench.fenced(DurableWaitTest::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(has(bench, EventType.EVENT_TYPE_TIMER_CANCELED)).isTrue();
    }
  }

  @Test
  void a_signal_in_vain_makes_it_look_and_wait_on() throws Exception {
    try (Bench bench = failing(Bench.fenced(DurableWaitTest::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.signal();
      await().until(() -> bench.timers().size() == 2);
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(bench.timers()).containsExactly(MINUTE, MINUTE);
    }
  }

  @Test
  void a_signal_during_a_look_is_not_lost() throws Exception {
    try (Bench bench = failing(Bench.fenced(DurableWaitTest::find))) {
      bench
          .ledger
          .then(
              () -> {
                bench.signal();
                throw HoldfastFailures.ledgerUnavailable("test", "down");
              })
          .then(row(State.PARKED, 1))
          .then(value("resolved"));
      bench.start();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
    }
  }

  @Test
  void a_signal_before_anything_waits_does_no_harm() {
    try (Bench bench = Bench.skippingTime(DurableWaitTest::find)) {
      bench.exports.finding =
          () -> {
            bench.signal();
            throw no();
          };
      bench.ledger.then(row(State.PARKED, 1)).then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.timers()).containsExactly(MINUTE);
    }
  }

  @Test
  void a_ledger_out_of_reach_is_waited_through() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(
              () -> {
                throw HoldfastFailures.ledgerUnavailable("test", "down");
              })
          .then(
              () -> {
                throw new IllegalStateException("for another reason");
              })
          .then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.ledger.queries).hasSize(4);
    }
  }

  @Test
  void a_lease_that_somebody_takes_meanwhile_is_waited_out() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(LookedUp.open(State.IN_PROGRESS, 2, 20_000))
          .then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.timers()).containsExactly(MINUTE, Duration.ofSeconds(20));
    }
  }

  @Test
  void who_does_not_want_to_wait_is_told_at_once() {
    try (Bench bench = skipping(() -> Bench.stub().findOrFail("e-1"))) {
      bench.ledger.then(row(State.PARKED, 1));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.timers()).isEmpty();
    }
  }

  @Test
  void did_not_happen_schedules_the_activity_again() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(
              () -> {
                bench.exports.finding = () -> "at last";
                return row(State.UNKNOWN, 0);
              });

      assertThat(bench.run()).isEqualTo("found at last");
      assertThat(bench.scheduled()).isEqualTo(2);
    }
  }

  @Test
  void what_parks_again_is_waited_for_again() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(row(State.UNKNOWN, 0))
          .then(row(State.PARKED, 1))
          .then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.scheduled()).isEqualTo(2);
      assertThat(bench.timers()).containsExactly(MINUTE, MINUTE);
    }
  }

  @Test
  void an_attempt_that_is_open_all_the_same_after_the_wait_is_an_unknown_outcome() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.UNKNOWN, 1));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void what_a_person_settled_as_failed_is_a_rejection() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(LookedUp.failed(new LookedUp.Failure("not-wanted", 0)));

      ApplicationFailure failure = failsWith(bench, HoldfastFailures.UPSTREAM_REJECTED);
      assertThat(failure.isNonRetryable()).isTrue();
      assertThat(failure.getDetails().get(0, String.class)).isEqualTo("not-wanted");
    }
  }

  @Test
  void a_conflict_is_told() {
    try (Bench bench = skipping(DurableWaitTest::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.CONFLICT, 0));

      failsWith(bench, HoldfastFailures.OPERATION_CONFLICTED);
    }
  }

  @Test
  void a_cancelled_workflow_waits_no_longer() {
    List<Throwable> told = new ArrayList<>();
    Supplier<String> script =
        () -> {
          try {
            return find();
          } catch (ActivityFailure e) {
            told.add(e.getCause());
            throw e;
          }
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().cancel();

      assertThatThrownBy(() -> resultSoon(bench)).hasCauseInstanceOf(CanceledFailure.class);
      assertThat(told).singleElement().isInstanceOf(CanceledFailure.class);
    }
  }

  @Test
  void a_call_in_a_scope_of_its_own_waits_no_longer_than_that() {
    Supplier<String> script =
        () -> {
          var calling =
              Workflow.newCancellationScope(
                  scope -> {
                    var found = Async.function(Bench.stub()::find, "e-1");
                    Workflow.newTimer(Duration.ofHours(5)).thenApply(fired -> cancel(scope));
                    assertThatThrownBy(found::get).isInstanceOf(ActivityFailure.class);
                  });
          calling.run();
          return "gone on";
        };
    try (Bench bench = skipping(script)) {
      bench.ledger.then(row(State.PARKED, 1));

      assertThat(bench.run()).isEqualTo("gone on");
    }
  }

  private static boolean cancel(io.temporal.workflow.CancellationScope scope) {
    scope.cancel();
    return true;
  }

  @Test
  void a_cancel_reaches_the_activity_that_runs_again() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    ActivityOptions options =
        ActivityOptions.newBuilder(Bench.options())
            .setCancellationType(ActivityCancellationType.TRY_CANCEL)
            .build();
    try (Bench bench =
        failing(Bench.fenced(() -> Workflow.newActivityStub(Exports.class, options).find("e-1")))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.exports.finding =
          () -> {
            running.countDown();
            return awaited(answered);
          };
      bench.ledger.then(row(State.UNKNOWN, 0));
      bench.signal();
      awaited(running);
      bench.running().cancel();

      assertThatThrownBy(() -> resultSoon(bench)).hasCauseInstanceOf(CanceledFailure.class);
      assertThat(has(bench, EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED)).isTrue();
      answered.countDown();
    }
  }

  @Test
  void two_parked_calls_wait_side_by_side() {
    Supplier<String> script =
        () -> {
          var one = Async.function(Bench.stub()::find, "e-1");
          var two = Async.function(Bench.stub()::find, "e-2");
          return one.get() + ", " + two.get();
        };
    try (Bench bench = skipping(script)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(row(State.PARKED, 1))
          .then(value("resolved"))
          .then(value("resolved"));

      assertThat(bench.run()).isEqualTo("resolved, resolved");
      assertThat(bench.timers()).containsExactly(MINUTE, MINUTE);
    }
  }

  @Test
  void captured_calls_get_their_reference_after_a_wait() {
    Supplier<String> script =
        () -> {
          var resolved = FencedActivities.call(Bench.stub()::find, "e-1");
          var again = FencedActivities.run(Bench.stub()::delete, "e-1");
          return resolved.value()
              + resolved.replayed()
              + resolved.ref().operation().key()
              + again.ref().operation().key();
        };
    try (Bench bench = skipping(script)) {
      bench.workerSide.sendsReference = false;
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(value("resolved "))
          .then(row(State.PARKED, 1))
          .then(
              () -> {
                bench.exports.finding = () -> "deleted";
                return row(State.UNKNOWN, 0);
              })
          .then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));

      assertThat(bench.run()).isEqualTo("resolved truee-1e-1");
      assertThat(bench.scheduled()).isEqualTo(3);
    }
  }

  @Test
  void a_codec_that_refuses_plain_payloads_lets_the_signal_through() throws Exception {
    try (Bench bench = failing(Bench.encrypted(DurableWaitTest::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.ledger.then(
          ScriptedLedger.completed(
              LookedUp.ResultKind.VALUE,
              StoredPayload.ofBytes(
                  Bench.codec().toPayload("resolved").orElseThrow().toByteArray())));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
    }
  }

  @Test
  void a_users_dynamic_handler_never_sees_the_signal() throws Exception {
    List<String> seen = new ArrayList<>();
    Supplier<String> script =
        () -> {
          Workflow.registerListener(
              (DynamicSignalHandler) (String name, EncodedValues values) -> seen.add(name));
          return find();
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().signal("theirs");
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(seen).containsExactly("theirs");
    }
  }

  @Test
  void signals_that_a_workflow_takes_late_come_once() throws Exception {
    List<String> seen = new ArrayList<>();
    Supplier<String> script =
        () -> {
          String found = find();
          Workflow.registerListener((Greeted) seen::add);
          return found;
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().signal("greet", "early");
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(seen).containsExactly("early");
    }
  }

  private static Bench skipping(Supplier<String> script) {
    return failing(Bench.skippingTime(script));
  }

  private static Bench failing(Bench bench) {
    bench.exports.finding =
        () -> {
          throw no();
        };
    return bench;
  }

  private static ApplicationFailure no() {
    return ApplicationFailure.newNonRetryableFailure("no", "No");
  }

  /** Until the pause's timer runs. */
  private static void waits(Bench bench) {
    await().until(() -> !bench.timers().isEmpty());
  }

  /** Sooner than the shortest pause ends by itself. */
  private static String resultSoon(Bench bench) throws TimeoutException {
    return bench.running().getResult(40, TimeUnit.SECONDS, String.class);
  }

  private static boolean has(Bench bench, EventType type) {
    return bench.history().getEvents().stream().anyMatch(event -> event.getEventType() == type);
  }

  private static LookedUp value(Object value) {
    return ScriptedLedger.completed(
        LookedUp.ResultKind.VALUE,
        StoredPayload.ofBytes(
            DefaultDataConverter.newDefaultInstance()
                .toPayload(value)
                .orElseThrow()
                .toByteArray()));
  }

  private static String awaited(CountDownLatch latch) {
    try {
      latch.await();
      return "answered";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ApplicationFailure failsWith(Bench bench, String type) {
    try {
      bench.run();
    } catch (WorkflowFailedException e) {
      assertThat(e.getCause()).isInstanceOf(ActivityFailure.class);
      Throwable cause = e.getCause().getCause();
      assertThat(cause).isInstanceOf(ApplicationFailure.class);
      ApplicationFailure failure = (ApplicationFailure) cause;
      assertThat(failure.getType()).isEqualTo(type);
      return failure;
    }
    throw new AssertionError("the workflow did not fail");
  }
}
