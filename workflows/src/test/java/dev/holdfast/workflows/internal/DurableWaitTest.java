package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.FencedActivities;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a workflow does while a person is awaited, and once the person has decided. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurableWaitTest extends WaitBed {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void a_parked_operation_is_waited_for_and_its_result_gone_on_with() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.PARKED, 1)).then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.scheduled()).isEqualTo(1);
      assertThat(bench.ledger.queries).hasSize(3);
    }
  }

  @Test
  void looks_are_a_minute_apart_at_first_and_an_hour_at_most() {
    try (Bench bench = skipping(WaitBed::find)) {
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
  void a_ledger_out_of_reach_is_waited_through() {
    try (Bench bench = skipping(WaitBed::find)) {
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
    try (Bench bench = skipping(WaitBed::find)) {
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
    try (Bench bench = skipping(WaitBed::find)) {
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
    try (Bench bench = skipping(WaitBed::find)) {
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
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.UNKNOWN, 1));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void what_a_person_settled_as_failed_is_a_rejection() {
    try (Bench bench = skipping(WaitBed::find)) {
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
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(row(State.PARKED, 1)).then(row(State.CONFLICT, 0));

      failsWith(bench, HoldfastFailures.OPERATION_CONFLICTED);
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
}
