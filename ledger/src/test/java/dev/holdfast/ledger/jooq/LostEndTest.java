package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found where the answer to a failure, an abandon, a release or a renewal was lost. */
class LostEndTest extends LossBed {

  LostEndTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  static Stream<Arguments> ends() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST)
        .flatMap(
            how ->
                Stream.of(
                    Arguments.of(
                        how,
                        new AttemptEnd.Failed(new SettledFailure("no_such", 404)),
                        OperationState.FAILED,
                        "failed"),
                    Arguments.of(
                        how, new AttemptEnd.Refused(429), OperationState.UNKNOWN, "refused"),
                    Arguments.of(
                        how,
                        new AttemptEnd.Unclear("no_answer"),
                        OperationState.UNKNOWN,
                        "timed_out")));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void an_end_is_stored_once_and_answered_as_stored(
      Disturbance how, AttemptEnd end, OperationState state, String kind) {
    Asking asking = Asking.about(kind + how.getClass().getSimpleName());
    Lease lease = asking.dispatched(ledger);
    lose(COMMIT, how);

    EndOutcome outcome = ledger.end(lease, end);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            EndOutcome.Recorded.class,
            recorded -> assertThat(recorded.operation().state()).isEqualTo(state));
    assertThat(proxy.isSpent()).isTrue();
    operation(asking).isInState(state).hasOpenAttempts(end instanceof AttemptEnd.Unclear ? 1 : 0);
    assertThat(stored(asking).observations())
        .singleElement()
        .satisfies(row -> assertThat(row.get("kind")).isEqualTo(kind));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_abandon_whose_answer_was_lost_has_closed_its_attempt(boolean shared) {
    Asking asking =
        shared ? Asking.about("back-shared", ResourceId.shared("back")) : Asking.about("back");
    UndispatchedLease lease = asking.granted(ledger);
    lose(ABANDON, LOSE_ANSWER);

    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ALREADY_CLOSED);

    operation(asking)
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0)
        .hasObservations("not_dispatched closed");
    asking.granted(ledger);
  }

  @Test
  void an_abandon_that_never_arrived_is_sent_again() {
    Asking asking = Asking.about("back-never");
    UndispatchedLease lease = asking.granted(ledger);
    lose(ABANDON, LOSE_REQUEST);

    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);

    operation(asking).hasOpenAttempts(0).hasObservations("not_dispatched closed");
  }

  @Test
  void a_late_abandon_whose_answer_was_lost_closes_once() {
    Asking asking = Asking.about("back-late");
    UndispatchedLease lease = asking.granted(ledger);
    clock.shift(Asking.LEASE);
    UndispatchedLease other = asking.granted(rival);
    lose(COMMIT, LOSE_ANSWER);

    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ALREADY_CLOSED);

    operation(asking)
        .wasLastClaimedBy(other)
        .hasOpenAttempts(1)
        .hasObservations("not_dispatched closed");
  }

  @Test
  void a_release_whose_answer_was_lost_needs_nothing() {
    Asking asking = Asking.about("release");
    SettleOutcome.Committed committed = asking.committed(ledger);
    lose(RELEASE, LOSE_ANSWER);

    assertThatThrownBy(() -> ledger.release(committed.permit()))
        .isInstanceOf(LedgerAnswerLostException.class);

    operation(asking).isReleased();
    assertThat(ledger.release(committed.permit())).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_release_that_never_arrived_leaves_a_replay_too() {
    Asking asking = Asking.about("release-never");
    SettleOutcome.Committed committed = asking.committed(ledger);
    lose(RELEASE, LOSE_REQUEST);

    assertThatThrownBy(() -> ledger.release(committed.permit()))
        .isInstanceOf(LedgerAnswerLostException.class);

    operation(asking).isNotReleased();
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test // case I7
  void no_verb_waits_for_an_answer_that_never_comes() {
    JooqLedger impatient = impatient();
    Asking asking = Asking.about("swallowed");
    UndispatchedLease kept = asking.granted(impatient);
    swallowNext();
    assertThatThrownBy(() -> impatient.renew(List.of(kept), Asking.LEASE))
        .isInstanceOf(LedgerAnswerLostException.class);
    swallowNext();
    assertThatThrownBy(
            () -> impatient.read(asking.reservation().scope(), asking.reservation().operation()))
        .isInstanceOf(LedgerAnswerLostException.class);
    swallowNext();
    assertThat(impatient.abandon(kept)).isEqualTo(AbandonOutcome.ALREADY_CLOSED);
    Lease lease = asking.dispatched(impatient);
    lose(COMMIT, new Disturbance.SwallowAnswer());
    assertThat(impatient.end(lease, new AttemptEnd.Refused(429)))
        .isInstanceOf(EndOutcome.Recorded.class);
    SettleOutcome.Committed committed = asking.committed(impatient);
    swallowNext();
    assertThatThrownBy(() -> impatient.release(committed.permit()))
        .isInstanceOf(LedgerAnswerLostException.class);
    assertThat(proxy.isSpent()).isTrue();
  }

  private void swallowNext() {
    lose(ANY, new Disturbance.SwallowAnswer());
  }
}
