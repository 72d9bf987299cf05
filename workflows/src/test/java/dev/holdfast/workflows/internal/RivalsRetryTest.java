package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.internal.LookedUp.ActivityIdentity;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import io.temporal.api.enums.v1.EventType;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
    return open(attempts, 1);
  }

  private static LookedUp open(int attempts, long revision) {
    return row(State.UNKNOWN, attempts).withLastAttempt(RIVAL, revision);
  }

  private static Duration sum(List<Duration> pauses) {
    return pauses.stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** What a ledger says that is down. */
  private static LookedUp down() {
    throw HoldfastFailures.ledgerUnavailable("test", "down");
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
      bench.ledger.then(() -> row(State.UNKNOWN, 1).withLastAttempt(own.get(), 1));

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
                return row(State.UNKNOWN, 0).withLastAttempt(RIVAL, 2);
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

  @Test
  void a_rival_that_tries_for_ever_is_waited_for_ten_minutes() {
    try (Bench bench = skipping(WaitBed::find)) {
      AtomicInteger tries = new AtomicInteger();
      bench.ledger.then(() -> open(tries.incrementAndGet()));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(sum(bench.timers())).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
      assertThat(bench.timers()).hasSizeLessThan(30);
    }
  }

  @Test
  void a_try_that_leaves_as_many_attempts_open_is_a_try() {
    try (Bench bench = skipping(WaitBed::find)) {
      AtomicInteger looks = new AtomicInteger();
      for (int i = 0; i < 9; i++) {
        bench.ledger.then(() -> open(1, looks.incrementAndGet()));
      }
      bench.ledger.then(value("by the other"));

      assertThat(bench.run()).isEqualTo("found by the other");
    }
  }

  @Test
  void while_the_ledger_is_down_nobody_is_given_up() {
    try (Bench bench = skipping(WaitBed::find)) {
      bench.ledger.then(open(1));
      for (int i = 0; i < 9; i++) {
        bench.ledger.then(RivalsRetryTest::down);
      }
      bench.ledger.then(value("by the other"));

      assertThat(bench.run()).isEqualTo("found by the other");
      assertThat(sum(bench.timers())).isGreaterThan(MINUTE);
    }
  }

  @Test
  void a_signal_that_is_meant_for_another_operation_shortens_nothing() {
    try (Bench bench = skipping(WaitBed::find)) {
      for (int i = 0; i < 3; i++) {
        bench.ledger.then(
            () -> {
              bench.signal();
              return open(1);
            });
      }
      bench.ledger.then(open(1));

      failsWith(bench, HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.timers()).isEqualTo(BACK_OFFS);
      assertThat(has(bench, EventType.EVENT_TYPE_TIMER_CANCELED)).isFalse();
    }
  }

  @Test
  void a_success_that_is_stored_and_cannot_be_picked_up_yet_is_waited_for() {
    try (Bench bench = skipping(WaitBed::find)) {
      LookedUp stored = row(State.UNKNOWN, 1).withPendingEvidence(1);
      bench.ledger.then(stored).then(value("witnessed"));

      assertThat(bench.run()).isEqualTo("found witnessed");
      assertThat(bench.timers()).containsExactly(MINUTE);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void where_it_still_cannot_be_picked_up_a_claim_does_it() {
    try (Bench bench = skipping(WaitBed::find)) {
      LookedUp stored = row(State.UNKNOWN, 1).withPendingEvidence(1);
      bench
          .ledger
          .then(stored)
          .then(
              () -> {
                bench.exports.finding = () -> "the claim's";
                return stored;
              });

      assertThat(bench.run()).isEqualTo("found the claim's");
      assertThat(bench.scheduled()).isEqualTo(2);
    }
  }
}
