package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the next step finds where the answer of a claim, or the claim itself, was lost. */
class LostClaimTest extends LossBed {

  LostClaimTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  @Test
  void found_and_live_it_goes_on_from_the_first_sending() {
    Asking asking = Asking.about("found");
    lose(CLAIM, LOSE_ANSWER);
    LocalDeadline before = LocalDeadline.after(System.nanoTime(), Asking.LEASE);

    UndispatchedLease lease = granted(asking.claim(ledger));

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1).hasFormerAttempts(0);
    assertThat(proxy.roundTrips().stream().filter(CLAIM)).hasSize(1);
    assertThat(lease.expiry().earlier(before)).isEqualTo(before);
    assertThat(ledger.release(Asking.committed(ledger, lease.dispatch()).permit()))
        .isInstanceOf(ReleaseOutcome.Released.class);
  }

  @Test
  void never_arrived_it_is_sent_again_under_the_same_id() {
    Asking asking = Asking.about("never");
    lose(CLAIM, LOSE_REQUEST);

    UndispatchedLease lease = granted(asking.claim(ledger));

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1).hasFormerAttempts(0);
    assertThat(proxy.roundTrips().stream().filter(CLAIM)).hasSize(2);
  }

  @Test
  void a_ghost_that_arrives_first_is_recognised_as_ones_own() throws Exception {
    Asking asking = Asking.about("ghost-first");
    JooqLedger impatient = impatient();
    CountDownLatch ghost = hold(1, CLAIM);
    CountDownLatch second = hold(1, CLAIM);

    Future<Claim> claim = Contenders.background(() -> asking.claim(impatient));
    awaitDisturbance();
    ghost.countDown();
    awaitClaimed(asking);
    second.countDown();

    operation(asking).wasLastClaimedBy(granted(claim.get())).hasOpenAttempts(1);
  }

  @Test
  void a_ghost_that_arrives_last_changes_nothing() throws Exception {
    Asking asking = Asking.about("ghost-last");
    JooqLedger impatient = impatient();
    CountDownLatch ghost = hold(1, CLAIM);
    UndispatchedLease lease = granted(asking.claim(impatient));

    ghost.countDown();
    awaitNoSession();

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1).hasFormerAttempts(0);
    Asking.committed(ledger, lease.dispatch());
  }

  private void awaitClaimed(Asking asking) {
    await().until(() -> stored(asking).row() != null);
  }

  @Test
  void found_and_over_it_is_given_back() throws Exception {
    Asking asking = Asking.about("over");
    lose(CLAIM, LOSE_ANSWER);
    CountDownLatch readback = hold(1, BEGIN);
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    readback.countDown();

    assertThat(claim.get()).isEqualTo(new Claim.Contended());

    operation(asking)
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0)
        .hasObservations("not_dispatched closed");
    asking.granted(ledger);
  }

  @Test
  void overtaken_its_attempt_is_closed() throws Exception {
    Asking asking = Asking.about("overtaken");
    lose(CLAIM, LOSE_ANSWER);
    CountDownLatch readback = hold(1, BEGIN);
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    UndispatchedLease other = asking.granted(rival);
    readback.countDown();

    assertThat(claim.get()).isEqualTo(new Claim.Contended());

    operation(asking)
        .wasLastClaimedBy(other)
        .hasOpenAttempts(1)
        .hasFormerAttempts(1)
        .hasObservations("not_dispatched closed");
  }

  @Test
  void behind_a_gate_it_is_given_back() {
    Completion required = Asking.about("required").committed(ledger).receipt().completion();
    Asking asking = Asking.about("gated").behind(required);
    lose(CLAIM, LOSE_ANSWER);

    assertThat(asking.claim(ledger)).isEqualTo(new Claim.Contended());

    operation(asking).isInState(OperationState.UNKNOWN).hasOpenAttempts(0);
    asking.granted(ledger);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void on_a_shared_resource_both_rows_are_found(boolean arrived) {
    ResourceId room = ResourceId.shared("room-" + arrived);
    Asking asking = Asking.about("shared-" + arrived, room);
    lose(COMMIT, arrived ? LOSE_ANSWER : LOSE_REQUEST);

    UndispatchedLease lease = granted(asking.claim(ledger));

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1).hasFormerAttempts(0);
    assertThat(
            embedded
                .sql()
                .fetchValue(RESOURCE.FENCING_TOKEN, RESOURCE.RESOURCE_ID.eq(room.value())))
        .isEqualTo(lease.token().value());
    assertThat(ledger.release(Asking.committed(ledger, lease.dispatch()).permit()))
        .isInstanceOf(ReleaseOutcome.Released.class);
    Asking.about("next-" + arrived, room).granted(ledger);
  }

  @Test
  void a_pick_up_whose_answer_was_lost_is_a_replay() {
    Asking asking = Asking.about("picked-up");
    Lease late = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    rival.settle(late, Asking.response(), Asking.RESULT);
    operation(asking).hasPendingEvidence(1);
    lose(COMMIT, LOSE_ANSWER);

    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);

    operation(asking).isInState(OperationState.COMPLETED).hasReceipts(1).hasOpenAttempts(0);
  }

  @Test // case I5
  void where_every_answer_is_lost_it_says_so_and_not_that_nothing_happened() {
    Asking asking = Asking.about("all-lost");
    lose(CLAIM, LOSE_ANSWER);
    loseEach(BEGIN, LOSE_REQUEST, LedgerOptions.standard().retries());

    assertThatThrownBy(() -> asking.claim(ledger)).isInstanceOf(LedgerAnswerLostException.class);

    operation(asking).isInState(OperationState.IN_PROGRESS).hasOpenAttempts(1);
    proxy.reset();
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Busy.class);
  }

  @Test // case I7
  void an_answer_that_never_comes_is_waited_for_no_longer_than_promised() {
    Asking asking = Asking.about("swallowed");
    lose(CLAIM, new Disturbance.SwallowAnswer());

    granted(asking.claim(impatient()));

    assertThat(proxy.isSpent()).isTrue();
  }
}
