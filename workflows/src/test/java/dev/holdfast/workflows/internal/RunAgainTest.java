package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.workflows.FencedActivities;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What makes a workflow schedule the activity again after its failure, and what does not. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunAgainTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LookedUp EVIDENCE = row(State.PARKED, 1).withPendingEvidence(1);

  private static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  private static String findOrTellWhy(Supplier<String> find) {
    try {
      return find.get();
    } catch (ActivityFailure e) {
      return e.getCause() instanceof ApplicationFailure a ? a.getType() : "other";
    }
  }

  private static Bench parking(Supplier<String> find, String key) {
    Bench bench = Bench.skippingTime(() -> findOrTellWhy(find));
    bench.exports.finding =
        () -> {
          throw HoldfastFailures.nonRetryable(
              HoldfastFailures.OUTCOME_UNKNOWN, "open_attempt", KeyDigest.of(key), "parked");
        };
    return bench;
  }

  private static Supplier<LookedUp> then(Bench bench, String found, LookedUp row) {
    return () -> {
      bench.exports.finding = () -> found;
      return row;
    };
  }

  @Test
  void what_was_decided_before_the_first_look_is_done_now() {
    try (Bench bench = parking(RunAgainTest::find, "e-1")) {
      bench.ledger.then(then(bench, "at last", row(State.UNKNOWN, 0)));

      assertThat(bench.run()).isEqualTo("found at last");
      assertThat(bench.scheduled()).isEqualTo(2);
      assertThat(bench.timers()).isEmpty();
    }
  }

  @Test
  void who_does_not_wait_is_not_run_again_either() {
    try (Bench bench = parking(() -> Bench.stub().findOrFail("e-1"), "e-1")) {
      bench.ledger.then(row(State.UNKNOWN, 0));

      assertThat(bench.run()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void another_operation_that_nobody_can_tell_of_does_not_make_this_one_run_again() {
    try (Bench bench = parking(RunAgainTest::find, "another")) {
      bench.ledger.then(row(State.UNKNOWN, 0));

      assertThat(bench.run()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void a_failure_of_this_type_that_says_nothing_more_stands() {
    try (Bench bench = parking(RunAgainTest::find, "e-1")) {
      bench.exports.finding =
          () -> {
            throw ApplicationFailure.newNonRetryableFailure("?", HoldfastFailures.OUTCOME_UNKNOWN);
          };
      bench.ledger.then(row(State.UNKNOWN, 0));

      assertThat(bench.run()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bench.scheduled()).isEqualTo(1);
    }
  }

  @Test
  void evidence_that_was_stored_while_it_waits_is_picked_up_by_another_claim() {
    try (Bench bench = parking(RunAgainTest::find, "e-1")) {
      bench
          .ledger
          .then(row(State.PARKED, 1))
          .then(then(bench, "replayed", EVIDENCE))
          .then(row(State.CONFLICT, 0));

      assertThat(bench.run()).isEqualTo("found replayed");
      assertThat(bench.scheduled()).isEqualTo(2);
      assertThat(bench.timers()).containsExactly(MINUTE);
    }
  }

  @Test
  void evidence_that_nobody_can_pick_up_is_tried_at_ever_longer_intervals() {
    try (Bench bench = parking(RunAgainTest::find, "e-1")) {
      for (int look = 0; look < 5; look++) {
        bench.ledger.then(EVIDENCE);
      }
      bench.ledger.then(then(bench, "replayed", EVIDENCE)).then(row(State.CONFLICT, 0));

      assertThat(bench.run()).isEqualTo("found replayed");
      assertThat(bench.scheduled()).isEqualTo(4);
      assertThat(bench.timers())
          .containsExactly(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(4));
    }
  }

  private static String delete() {
    try {
      Bench.stub().delete("e-1");
      return "deleted";
    } catch (IOException e) {
      throw Workflow.wrap(e);
    }
  }

  @Test
  void a_plain_call_that_returns_nothing_asks_for_no_reference_after_its_second_run() {
    try (Bench bench = parking(RunAgainTest::delete, "e-1")) {
      bench.ledger.then(then(bench, "", row(State.UNKNOWN, 0)));
      bench.workerSide.sendsReference = false;

      assertThat(bench.run()).isEqualTo("deleted");
      assertThat(bench.scheduled()).isEqualTo(2);
      assertThat(bench.ledger.queries).hasSize(1);
    }
  }

  @Test
  void a_captured_one_gets_its_reference() {
    try (Bench bench =
        parking(
            () -> FencedActivities.run(Bench.stub()::delete, "e-1").ref().operation().key(),
            "e-1")) {
      bench
          .ledger
          .then(then(bench, "", row(State.UNKNOWN, 0)))
          .then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));
      bench.workerSide.sendsReference = false;

      assertThat(bench.run()).isEqualTo("e-1");
      assertThat(bench.ledger.queries).hasSize(2);
    }
  }
}
