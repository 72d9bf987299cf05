package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.internal.LookedUp.ActivityIdentity;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Two executions on one key: the attempt of the one is open while the other looks. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RivalsRetryTest extends WaitBed {
  private static final ActivityIdentity RIVAL = new ActivityIdentity("another", "run", "activity");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<Duration> BACK_OFFS =
      Stream.iterate(Duration.ofSeconds(1), pause -> pause.multipliedBy(2)).limit(6).toList();

  private static LookedUp open(int attempts) {
    return row(State.UNKNOWN, attempts).withLastAttempt(RIVAL);
  }

  @Test
  void a_retry_that_is_on_its_way_is_waited_for() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(open(1)).then(open(1)).then(value("by the other"));

      assertThat(bench.run()).isEqualTo("found by the other");
      assertThat(bench.timers()).isEqualTo(BACK_OFFS.subList(0, 2));
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void where_none_comes_within_a_minute_the_outcome_is_unknown() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(open(1));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.timers()).isEqualTo(BACK_OFFS);
    }
  }

  @Test
  void a_retry_that_ends_as_unclear_gets_a_back_off_of_its_own() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench
          .ledger
          .then(open(1))
          .then(LookedUp.open(State.IN_PROGRESS, 2, 1_000))
          .then(open(2))
          .then(value("by the other"));

      assertThat(bench.run()).isEqualTo("found by the other");
      assertThat(bench.ledger.queries).hasSize(4);
    }
  }

  @Test
  void nobody_waits_for_a_retry_of_its_own_that_will_not_come() {
    AtomicReference<@Nullable ActivityIdentity> own = new AtomicReference<>();
    try (Bench bench = skipping(WaitBed::find)) {
      bench.exports.finding =
          () -> {
            ActivityInfo here = Activity.getExecutionContext().getInfo();
            own.set(
                new ActivityIdentity(
                    String.valueOf(here.getWorkflowId()),
                    String.valueOf(here.getWorkflowRunId()),
                    here.getActivityId()));
            throw no();
          };
      bench.ledger.then(() -> row(State.UNKNOWN, 1).withLastAttempt(own.get()));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.timers()).isEmpty();
    }
  }

  @Test
  void who_waits_for_a_person_waits_on_while_another_who_did_tries_again() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(open(1))
          .then(row(State.PARKED, 1))
          .then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.scheduled()).isEqualTo(1);
      assertThat(bench.timers()).containsExactly(MINUTE, BACK_OFFS.getFirst(), MINUTE);
    }
  }

  @Test
  void what_another_gave_back_is_done_by_the_one_that_waited() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(open(1))
          .then(
              () -> {
                bench.exports.finding = () -> "at last";
                return row(State.UNKNOWN, 0).withLastAttempt(RIVAL);
              });

      assertThat(bench.run()).isEqualTo("found at last");
      assertThat(bench.scheduled()).isEqualTo(2);
    }
  }

  @Test
  void who_is_cancelled_waits_no_longer() {
    try (Bench bench = failing(Bench.fenced(WaitBed::find))) {
      bench.ledger.then(open(1));
      bench.start();
      waits(bench);
      bench.running().cancel();

      assertThatThrownBy(() -> resultSoon(bench)).hasCauseInstanceOf(CanceledFailure.class);
    }
  }

  @Test
  void the_activitys_contract_goes_with_the_question() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(open(1)).then(row(State.PARKED, 1)).then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.ledger.queries)
          .hasSize(3)
          .allSatisfy(query -> assertThat(query.attendance()).isNotNull());
    }
  }
}
