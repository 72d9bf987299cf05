package dev.holdfast.ledger.settlement;

import static dev.holdfast.ledger.settlement.Example.TUPLE;
import static dev.holdfast.ledger.settlement.Example.atWork;
import static dev.holdfast.ledger.settlement.Example.failed;
import static dev.holdfast.ledger.settlement.Example.leaseExpired;
import static dev.holdfast.ledger.settlement.Example.refused;
import static dev.holdfast.ledger.settlement.Example.succeeded;
import static dev.holdfast.ledger.settlement.Example.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.settlement.Example.Part;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettlementTest {
  private static final SettlementPolicy FIRST_COMMIT =
      new SettlementPolicy(PayloadPolicy.FIRST_COMMIT_WINS, TerminalPolicy.FIRST_COMMIT_WINS);

  private static final List<Observation> UNSEEN = List.of(timedOut(), leaseExpired(), atWork());

  @Nested
  class While_unknown {
    @ParameterizedTest
    @EnumSource
    void a_success_is_stored_until_somebody_holds_a_lease(ObserverStanding observer) {
      assertThat(settle(unknown(observer), succeeded(1, 1)))
          .isEqualTo(new Verdict.Pending(OperationState.UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource(names = {"HOLDER", "PREEMPTED"})
    void a_failure_closes_the_observers_own_attempt_and_fails_nothing(ObserverStanding observer) {
      assertThat(settle(unknown(observer), failed(1)))
          .isEqualTo(new Verdict.Closed(OperationState.UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource(names = {"HOLDER", "PREEMPTED"})
    void a_refusal_closes_the_observers_own_attempt(ObserverStanding observer) {
      assertThat(settle(unknown(observer), refused()))
          .isEqualTo(new Verdict.Closed(OperationState.UNKNOWN));
    }

    @Test
    void an_observer_without_a_claim_has_no_attempt_to_close() {
      assertThat(settle(unknown(ObserverStanding.NONE), failed(1)))
          .isEqualTo(recordedIn("unknown"));
      assertThat(settle(unknown(ObserverStanding.NONE), refused()))
          .isEqualTo(recordedIn("unknown"));
    }

    @ParameterizedTest
    @EnumSource
    void a_late_sign_of_life_does_not_raise_the_dead(ObserverStanding observer) {
      assertThat(settle(unknown(observer), atWork())).isEqualTo(recordedIn("unknown"));
    }
  }

  @Nested
  class While_the_lease_is_live {
    @Test
    void a_success_by_the_holder_is_completed_with_a_receipt() {
      assertThat(settle(live(ObserverStanding.HOLDER), succeeded(1, 1)))
          .isEqualTo(new Verdict.Receipt());
    }

    @ParameterizedTest
    @EnumSource(names = {"PREEMPTED", "NONE"})
    void a_success_by_anybody_else_is_stored(ObserverStanding observer) {
      assertThat(settle(live(observer), succeeded(1, 1)))
          .isEqualTo(new Verdict.Pending(OperationState.IN_PROGRESS));
    }

    @Test
    void a_failure_by_the_only_attempt_is_final() {
      assertThat(settle(live(ObserverStanding.HOLDER), failed(1))).isEqualTo(new Verdict.Failure());
    }

    @Test
    void a_failure_beside_an_open_attempt_is_not_final() {
      CurrentOperation besideAnother =
          inProgress(LeaseStanding.LIVE, ObserverStanding.HOLDER, true);

      assertThat(settle(besideAnother, failed(1)))
          .isEqualTo(new Verdict.Closed(OperationState.UNKNOWN));
    }

    @Test
    void a_failure_by_a_preempted_holder_leaves_its_rival_alone() {
      assertThat(settle(live(ObserverStanding.PREEMPTED), failed(1)))
          .isEqualTo(new Verdict.Closed(OperationState.IN_PROGRESS));
    }

    @Test
    void a_refusal_by_the_holder_ends_its_lease() {
      assertThat(settle(live(ObserverStanding.HOLDER), refused()))
          .isEqualTo(new Verdict.Closed(OperationState.UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource
    void what_was_not_seen_changes_nothing(ObserverStanding observer) {
      assertThat(UNSEEN)
          .allSatisfy(
              unseen ->
                  assertThat(settle(live(observer), unseen)).isEqualTo(recordedIn("in_progress")));
    }
  }

  @Nested
  class While_the_margin_is_thin {
    private final CurrentOperation thin =
        inProgress(LeaseStanding.THIN, ObserverStanding.HOLDER, false);

    @Test
    void an_answer_that_would_be_final_waits_for_a_renewal() {
      assertThat(settle(thin, succeeded(1, 1))).isEqualTo(new Verdict.RenewFirst());
      assertThat(settle(thin, failed(1))).isEqualTo(new Verdict.RenewFirst());
    }

    @Test
    void a_refusal_needs_no_margin() {
      assertThat(settle(thin, refused())).isEqualTo(new Verdict.Closed(OperationState.UNKNOWN));
    }

    @Test
    void nobody_but_the_holder_is_told_to_renew() {
      assertThat(
              settle(
                  inProgress(LeaseStanding.THIN, ObserverStanding.PREEMPTED, false),
                  succeeded(1, 1)))
          .isEqualTo(new Verdict.Pending(OperationState.IN_PROGRESS));
    }

    @Test
    void it_is_thin_below_the_margin_and_over_at_the_end() {
      LeaseMargin margin = new LeaseMargin(Duration.ofMillis(50));

      assertThat(LeaseStanding.judge(Duration.ofMillis(50), margin)).isEqualTo(LeaseStanding.LIVE);
      assertThat(LeaseStanding.judge(Duration.ofMillis(50).minusNanos(1), margin))
          .isEqualTo(LeaseStanding.THIN);
      assertThat(LeaseStanding.judge(Duration.ZERO, margin)).isEqualTo(LeaseStanding.OVER);
      assertThat(LeaseStanding.judge(Duration.ZERO, new LeaseMargin(Duration.ZERO)))
          .isEqualTo(LeaseStanding.OVER);
    }
  }

  @Nested
  class When_the_lease_is_over {
    @ParameterizedTest
    @EnumSource
    void whoever_sees_it_opens_the_operation_to_the_next_claim(ObserverStanding observer) {
      assertThat(settle(over(observer), timedOut())).isEqualTo(new Verdict.Demoted());
      assertThat(settle(over(observer), leaseExpired())).isEqualTo(new Verdict.Demoted());
    }

    @ParameterizedTest
    @EnumSource
    void a_success_is_stored_and_not_completed(ObserverStanding observer) {
      assertThat(settle(over(observer), succeeded(1, 1)))
          .isEqualTo(new Verdict.Pending(OperationState.IN_PROGRESS));
    }

    @Test
    void a_failure_closes_the_attempt_and_is_not_final() {
      assertThat(settle(over(ObserverStanding.HOLDER), failed(1)))
          .isEqualTo(new Verdict.Closed(OperationState.IN_PROGRESS));
    }
  }

  @Nested
  class After_completion {
    @ParameterizedTest
    @EnumSource
    void a_late_time_out_leaves_completed_alone(ObserverStanding observer) {
      assertThat(UNSEEN)
          .allSatisfy(
              unseen ->
                  assertThat(settle(completed(observer), unseen))
                      .isEqualTo(recordedIn("completed")));
    }

    @Test
    void the_same_effect_seen_again_changes_nothing() {
      assertThat(settle(completed(ObserverStanding.PREEMPTED), succeeded(1, 2)))
          .isEqualTo(recordedIn("completed"));
    }

    @Test
    void another_effect_is_a_conflict() {
      assertThat(settle(completed(ObserverStanding.PREEMPTED), succeeded(2, 2)))
          .isEqualTo(new Verdict.Conflicted());
    }

    @Test
    void another_effect_is_recorded_where_the_first_commit_wins() {
      assertThat(
              Settlement.settle(
                  completed(ObserverStanding.PREEMPTED), succeeded(2, 2), FIRST_COMMIT))
          .isEqualTo(recordedIn("completed"));
    }

    @ParameterizedTest
    @EnumSource
    void a_failure_of_the_settled_attempt_is_a_conflict_whoever_reports_it(
        ObserverStanding observer) {
      assertThat(settle(completed(observer), failed(1))).isEqualTo(new Verdict.Conflicted());
      assertThat(Settlement.settle(completed(observer), failed(1), FIRST_COMMIT))
          .isEqualTo(recordedIn("completed"));
    }

    @Test
    void a_failure_of_another_attempt_did_nothing() {
      assertThat(settle(completed(ObserverStanding.PREEMPTED), failed(2)))
          .isEqualTo(recordedIn("completed"));
    }

    @Test
    void a_failure_of_no_known_attempt_contradicts_none() {
      assertThat(settle(completed(ObserverStanding.NONE), new Observation.Failed(TUPLE, null)))
          .isEqualTo(recordedIn("completed"));
    }
  }

  @Nested
  class After_failure {
    @Test
    void a_success_is_a_conflict() {
      assertThat(settle(failedFor(ObserverStanding.PREEMPTED), succeeded(1, 1)))
          .isEqualTo(new Verdict.Conflicted());
    }

    @Test
    void a_success_is_recorded_where_the_first_commit_wins() {
      assertThat(
              Settlement.settle(
                  failedFor(ObserverStanding.PREEMPTED), succeeded(1, 1), FIRST_COMMIT))
          .isEqualTo(recordedIn("failed"));
    }

    @Test
    void everything_else_is_recorded() {
      assertThat(List.of(failed(1), refused(), timedOut(), leaseExpired(), atWork()))
          .allSatisfy(
              seen ->
                  assertThat(settle(failedFor(ObserverStanding.HOLDER), seen))
                      .isEqualTo(recordedIn("failed")));
    }
  }

  @Nested
  class In_conflict {
    @Test
    void everything_is_recorded_until_a_person_decides() {
      CurrentOperation conflict =
          operation(OperationState.CONFLICT, LeaseStanding.NONE, ObserverStanding.HOLDER, null);

      assertThat(
              List.of(succeeded(1, 1), failed(1), refused(), timedOut(), leaseExpired(), atWork()))
          .allSatisfy(seen -> assertThat(settle(conflict, seen)).isEqualTo(recordedIn("conflict")));
    }
  }

  @Nested
  class Before_anything_else {
    @ParameterizedTest
    @EnumSource
    void any_part_of_the_tuple_that_differs_sets_the_observation_aside(Part part) {
      Tuple other = Example.differingIn(EnumSet.of(part));
      Observation stale = new Observation.Succeeded(other, Example.effect(1), Example.attempt(1));

      assertThat(settle(live(ObserverStanding.HOLDER), stale))
          .isEqualTo(new Verdict.Quarantined(OperationState.IN_PROGRESS));
      assertThat(settle(over(ObserverStanding.NONE), new Observation.LeaseExpired(other)))
          .isEqualTo(new Verdict.Quarantined(OperationState.IN_PROGRESS));
      assertThat(settle(completed(ObserverStanding.NONE), stale))
          .isEqualTo(new Verdict.Quarantined(OperationState.COMPLETED));
    }

    @Test
    void the_reservation_and_its_execution_make_the_tuple() {
      assertThat(Example.differingIn(EnumSet.noneOf(Part.class))).isEqualTo(TUPLE);
    }

    @Test
    void an_operation_that_cannot_be_is_refused() {
      assertThatThrownBy(() -> inProgress(LeaseStanding.NONE, ObserverStanding.HOLDER, false))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  operation(
                      OperationState.UNKNOWN, LeaseStanding.LIVE, ObserverStanding.HOLDER, null))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  operation(
                      OperationState.COMPLETED, LeaseStanding.NONE, ObserverStanding.HOLDER, null))
          .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void every_state_is_found_by_its_word(OperationState state) {
      assertThat(OperationState.of(state.word())).isEqualTo(state);
    }

    @Test
    void no_other_word_is_a_state() {
      assertThatThrownBy(() -> OperationState.of("IN_PROGRESS"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Verdict settle(CurrentOperation current, Observation observation) {
    return Settlement.settle(current, observation, SettlementPolicy.STANDARD);
  }

  private static Verdict recordedIn(String state) {
    return new Verdict.Recorded(OperationState.of(state));
  }

  private static CurrentOperation unknown(ObserverStanding observer) {
    return operation(OperationState.UNKNOWN, LeaseStanding.NONE, observer, null);
  }

  private static CurrentOperation live(ObserverStanding observer) {
    return inProgress(LeaseStanding.LIVE, observer, false);
  }

  private static CurrentOperation over(ObserverStanding observer) {
    return inProgress(LeaseStanding.OVER, observer, false);
  }

  private static CurrentOperation inProgress(
      LeaseStanding lease, ObserverStanding observer, boolean otherAttemptOpen) {
    return new CurrentOperation(
        OperationState.IN_PROGRESS, TUPLE, lease, observer, otherAttemptOpen, null);
  }

  /** Completed with the first effect, by the first attempt. */
  private static CurrentOperation completed(ObserverStanding observer) {
    return operation(
        OperationState.COMPLETED,
        LeaseStanding.NONE,
        observer,
        new SettledEffect(Example.effect(1), Example.attempt(1)));
  }

  private static CurrentOperation failedFor(ObserverStanding observer) {
    return operation(OperationState.FAILED, LeaseStanding.NONE, observer, null);
  }

  private static CurrentOperation operation(
      OperationState state,
      LeaseStanding lease,
      ObserverStanding observer,
      @Nullable SettledEffect settled) {
    return new CurrentOperation(state, TUPLE, lease, observer, false, settled);
  }
}
