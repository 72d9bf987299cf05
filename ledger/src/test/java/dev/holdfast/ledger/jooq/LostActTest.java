package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person's act comes to where its answer, or the order itself, was lost. */
class LostActTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final Decision DID_NOT_HAPPEN = new Decision.DidNotHappen(true);

  LostActTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  private static Asking about(String what) {
    return Asking.about(what + KEYS.incrementAndGet()).under(new OpenAttemptRule.ParkWhileOpen());
  }

  /** Waiting for a person. */
  private Asking parked(String what) {
    Asking asking = about(what);
    unclear(asking);
    return asking;
  }

  private void unclear(Asking asking) {
    rival.end(asking.dispatched(rival), new AttemptEnd.Unclear("timed_out"));
    asking.claim(rival);
  }

  private static ActTerms terms(Asking asking) {
    return ActBed.terms(asking.reservation());
  }

  private List<OperationStory.Act> acts(Asking asking) {
    return rival
        .acts()
        .show(asking.reservation().scope(), asking.reservation().operation())
        .orElseThrow()
        .acts();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_decision_is_made_once(Disturbance how) {
    Asking asking = parked("resolve-");
    lose(COMMIT, how);

    ActOutcome outcome = ledger.acts().resolve(terms(asking), DID_NOT_HAPPEN);

    assertThat(outcome).isInstanceOf(ActOutcome.Done.class);
    assertThat(proxy.isSpent()).isTrue();
    assertThat(acts(asking)).hasSize(1);
    operation(asking)
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0)
        .hasFormerAttempts(1)
        .hasObservations("timed_out demoted", "not_happened closed", "not_dispatched closed");
  }

  @ParameterizedTest
  @MethodSource("losses")
  void it_is_reopened_once(Disturbance how) {
    Asking asking = about("reopen-");
    asking.committed(rival);
    lose(COMMIT, how);

    ActOutcome outcome = ledger.acts().reopen(terms(asking), true);

    assertThat(outcome).isInstanceOf(ActOutcome.Done.class);
    assertThat(proxy.isSpent()).isTrue();
    assertThat(acts(asking)).hasSize(1);
    operation(asking).has(OPERATION.EPOCH, 1).hasFormerAttempts(1);
  }

  /** What force would do a second time: close an attempt that dispatched since. */
  @Test
  void ordered_again_it_touches_no_later_attempt() {
    Asking asking = parked("later-");
    ActTerms terms = terms(asking);
    ledger.acts().resolve(terms, DID_NOT_HAPPEN);
    Lease later = asking.dispatched(rival);
    rival.end(later, new AttemptEnd.Unclear("timed_out"));

    ActOutcome again = ledger.acts().resolve(terms, DID_NOT_HAPPEN);

    assertThat(again).isInstanceOf(ActOutcome.Done.class);
    operation(asking).isParkedFor("open_attempt").hasOpenAttempts(1).wasLastClaimedBy(later);
  }

  @Test
  void ordered_again_after_the_next_run_it_runs_no_third_time() {
    Asking asking = about("third-");
    asking.committed(rival);
    ActTerms terms = terms(asking);
    ledger.acts().reopen(terms, true);
    asking.committed(rival);

    assertThat(ledger.acts().reopen(terms, true)).isInstanceOf(ActOutcome.Done.class);

    operation(asking).isInState(OperationState.COMPLETED).has(OPERATION.EPOCH, 1).hasReceipts(2);
  }

  /** The first request is on its way still when the second one asks. */
  @Test
  void a_ghost_and_the_order_that_follows_it_are_one_act() throws Exception {
    Asking asking = parked("ghost-");
    JooqLedger impatient = impatient();
    CountDownLatch ghost = hold(1, COMMIT);
    Future<ActOutcome> act =
        Contenders.background(() -> impatient.acts().resolve(terms(asking), DID_NOT_HAPPEN));
    awaitDisturbance();
    CountDownLatch second = hold(1, COMMIT);

    ghost.countDown();
    second.countDown();

    assertThat(act.get()).isInstanceOf(ActOutcome.Done.class);
    awaitNoSession();
    assertThat(acts(asking)).hasSize(1);
  }

  /** The commit arrives, and nothing is heard of it or of any try to find out. */
  @Test
  void whoever_hears_of_no_answer_at_all_may_order_it_again() {
    Asking asking = parked("silent-");
    ActTerms terms = terms(asking);
    proxy.reset();
    lose(COMMIT, LOSE_ANSWER);
    loseEach(trip -> BEGIN.test(trip) && wasCommitted(), LOSE_REQUEST, 4);

    assertThatThrownBy(() -> ledger.acts().resolve(terms, DID_NOT_HAPPEN))
        .isInstanceOf(LedgerAnswerLostException.class);

    assertThat(rival.acts().resolve(terms, DID_NOT_HAPPEN)).isInstanceOf(ActOutcome.Done.class);
    assertThat(acts(asking)).hasSize(1);
  }

  private boolean wasCommitted() {
    return proxy.roundTrips().stream().anyMatch(COMMIT);
  }
}
