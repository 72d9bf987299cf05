package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OpenAttemptRule.AskFirst;
import dev.holdfast.ledger.OpenAttemptRule.ParkWhileOpen;
import dev.holdfast.ledger.OpenAttemptRule.RolledBack;
import dev.holdfast.ledger.OpenAttemptRule.SameKeyAgain;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the next step finds where the answer of a claim, or the claim itself, was lost. */
class LostClaimTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();

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

  private static Stream<OpenAttemptRule> rules() {
    return Stream.of(
        new AskFirst(),
        new RolledBack(),
        new SameKeyAgain(Asking.KEY_HORIZON, Duration.ofMinutes(1), new ParkWhileOpen()),
        new SameKeyAgain(Duration.ofSeconds(1), Duration.ZERO, new AskFirst()));
  }

  /** What an older attempt saw is stored between the lost answer and the look for it. */
  @ParameterizedTest
  @MethodSource("rules")
  void beside_evidence_it_dispatches_nothing_and_the_next_claim_replays(OpenAttemptRule rule)
      throws Exception {
    Asking asking = fresh(rule);
    Lease late = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    CountDownLatch readback = lostAndHeld();
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    assertThat(rival.settle(late, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Preempted.class);
    readback.countDown();

    assertThat(claim.get()).isEqualTo(new Claim.Contended());

    operation(asking).isInState(OperationState.UNKNOWN).hasPendingEvidence(1).hasOpenAttempts(0);
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void beside_an_open_attempt_it_asks_first() {
    Asking asking = fresh(new AskFirst());
    Lease dead = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    lose(CLAIM, LOSE_ANSWER);

    Claim claim = asking.claim(ledger);

    assertThat(claim).isInstanceOf(Claim.Reconcile.class);
    assertThat(((Claim.Reconcile) claim).open())
        .extracting(OpenAttempt::claimId)
        .containsExactly(dead.claimId());
  }

  /** Refused, it did nothing: a fresh claim would find nothing open either. */
  @Test
  void where_the_open_attempt_has_ended_meanwhile_it_dispatches() throws Exception {
    Asking asking = fresh(new AskFirst());
    Lease late = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    CountDownLatch readback = lostAndHeld();
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    rival.end(late, new AttemptEnd.Refused(429));
    readback.countDown();

    UndispatchedLease lease = granted(claim.get());
    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1);
  }

  @Test
  void where_nobody_can_be_asked_it_goes_on_with_nothing_open() {
    Asking asking = fresh(new ParkWhileOpen());
    lose(CLAIM, LOSE_ANSWER);

    UndispatchedLease lease = granted(asking.claim(ledger));

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1);
  }

  @Test
  void beside_an_attempt_that_was_rolled_back_it_dispatches() {
    Asking asking = fresh(new RolledBack());
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    lose(CLAIM, LOSE_ANSWER);

    UndispatchedLease lease = granted(asking.claim(ledger));

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(2);
  }

  /** The key was alive when the claim was granted, and is forgotten when it is found. */
  @Test
  void beside_an_open_attempt_whose_key_is_forgotten_meanwhile_it_is_given_back() throws Exception {
    Duration known = Asking.LEASE.plusSeconds(10);
    Asking asking = fresh(new SameKeyAgain(known, Duration.ZERO, new ParkWhileOpen()));
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    CountDownLatch readback = lostAndHeld();
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    clock.shift(known.plusSeconds(5));
    readback.countDown();

    assertThat(claim.get()).isEqualTo(new Claim.Contended());
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Parked.class);
  }

  private static Asking fresh(OpenAttemptRule rule) {
    return Asking.about("rule-" + KEYS.incrementAndGet()).under(rule);
  }

  private CountDownLatch lostAndHeld() {
    lose(CLAIM, LOSE_ANSWER);
    return hold(1, BEGIN);
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

  @Test
  void an_opaque_operation_is_not_parked_by_it() throws Exception {
    Asking asking = Asking.about("opaque").under(new OpenAttemptRule.ParkWhileOpen());
    lose(CLAIM, LOSE_ANSWER);
    CountDownLatch readback = hold(1, BEGIN);
    Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    readback.countDown();
    assertThat(claim.get()).isEqualTo(new Claim.Contended());

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
