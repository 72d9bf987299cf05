package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.RoundTrip;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the next step finds where the answer of a settlement, or the settlement, was lost. */
class LostSettlementTest extends LossBed {

  LostSettlementTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private static SettleOutcome settle(JooqLedger ledger, Lease lease) {
    return ledger.settle(lease, Asking.response(), Asking.RESULT);
  }

  private void isSettledOnce(Asking asking) {
    operation(asking)
        .isCompletedWith(Asking.response().digest())
        .hasReceipts(1)
        .hasOpenAttempts(0)
        .hasPendingEvidence(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void its_own_receipt_is_committed_with_a_permit_that_releases(boolean shared) {
    Asking asking =
        shared ? Asking.about("own-shared", ResourceId.shared("own")) : Asking.about("own");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_ANSWER);

    SettleOutcome.Committed found = committed(settle(ledger, lease));

    assertThat(found.receipt().claimId()).isEqualTo(lease.claimId());
    assertThat(found.receipt().token()).isEqualTo(lease.token());
    assertThat(found.receipt().responseDigest()).isEqualTo(Asking.response().digest());
    assertThat(ledger.release(found.permit())).isInstanceOf(ReleaseOutcome.Released.class);
    isSettledOnce(asking);
    operation(asking).isReleased();
    assertThat(proxy.roundTrips().stream().filter(SETTLE)).hasSize(1);
  }

  @Test
  void what_is_read_back_equals_what_was_lost() {
    Lease answered = Asking.about("answered").dispatched(ledger);
    Lease lost = Asking.about("lost").dispatched(ledger);
    clock.stop();
    SettleOutcome.Committed plain = committed(settle(ledger, answered));
    lose(SETTLE, LOSE_ANSWER);
    SettleOutcome.Committed found = committed(settle(ledger, lost));

    assertThat(found.receipt())
        .usingRecursiveComparison()
        .ignoringFields(
            "completion.operation",
            "completion.receipt",
            "resource",
            "claimId",
            "token",
            "marginLeft")
        .isEqualTo(plain.receipt());
  }

  @Test
  void never_arrived_it_is_settled_once() {
    Asking asking = Asking.about("never");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_REQUEST);

    SettleOutcome.Committed settled = committed(settle(ledger, lease));

    isSettledOnce(asking);
    assertThat(ledger.release(settled.permit())).isInstanceOf(ReleaseOutcome.Released.class);
  }

  @Test
  void a_ghost_commits_and_the_retry_finds_it() throws Exception {
    Asking asking = Asking.about("ghost-first");
    JooqLedger impatient = impatient();
    Lease lease = asking.dispatched(impatient);
    CountDownLatch ghost = hold(1, SETTLE);
    CountDownLatch slowPath = hold(2, BEGIN);
    Future<SettleOutcome> settled = Contenders.background(() -> settle(impatient, lease));
    awaitDisturbance();
    ghost.countDown();
    await().until(() -> !stored(asking).receipts().isEmpty());
    slowPath.countDown();

    SettleOutcome.Committed found = committed(settled.get());

    isSettledOnce(asking);
    assertThat(ledger.release(found.permit())).isInstanceOf(ReleaseOutcome.Released.class);
  }

  @Test
  void the_retry_commits_and_the_ghost_changes_nothing() {
    Asking asking = Asking.about("ghost-last");
    JooqLedger impatient = impatient();
    Lease lease = asking.dispatched(impatient);
    CountDownLatch ghost = hold(1, SETTLE);
    committed(settle(impatient, lease));
    StoredOperation before = stored(asking);

    ghost.countDown();
    awaitNoSession();

    operation(asking).isUntouchedSince(before);
    isSettledOnce(asking);
  }

  @Test
  void a_ghost_behind_a_rivals_token_changes_nothing() throws Exception {
    Asking asking = Asking.about("ghost-overtaken");
    JooqLedger impatient = impatient();
    Lease lease = asking.dispatched(impatient);
    CountDownLatch ghost = hold(1, SETTLE);
    loseEach(BEGIN, LOSE_REQUEST, LedgerOptions.standard().retries());
    assertThatThrownBy(() -> settle(impatient, lease))
        .isInstanceOf(LedgerAnswerLostException.class);
    proxy.reset();
    clock.shift(Asking.LEASE);
    Lease newer = asking.dispatched(rival);

    ghost.countDown();
    awaitNoSession();

    operation(asking).wasLastClaimedBy(newer).hasReceipts(0).isInState(OperationState.IN_PROGRESS);
  }

  @Test
  void over_meanwhile_its_evidence_is_stored_and_the_next_claim_completes_it() throws Exception {
    Asking asking = Asking.about("over");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_REQUEST);
    CountDownLatch readback = hold(1, BEGIN);
    Future<SettleOutcome> settled = Contenders.background(() -> settle(ledger, lease));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    readback.countDown();

    assertThat(settled.get()).isInstanceOf(SettleOutcome.LeaseExpired.class);

    operation(asking).hasPendingEvidence(1).hasReceipts(0);
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
    isSettledOnce(asking);
  }

  @Test
  void preempted_meanwhile_a_committed_receipt_is_still_its_own() throws Exception {
    Asking asking = Asking.about("committed-and-over");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_ANSWER);
    CountDownLatch readback = hold(1, BEGIN);
    Future<SettleOutcome> settled = Contenders.background(() -> settle(ledger, lease));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
    readback.countDown();

    committed(settled.get());
    isSettledOnce(asking);
  }

  @Test
  void evidence_that_a_rival_committed_yields_no_permit() {
    Asking asking = Asking.about("by-a-rival");
    Lease lease = asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    settle(ledger, lease);
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);

    assertThat(settle(ledger, lease)).isInstanceOf(SettleOutcome.AlreadySettled.class);
  }

  @Test
  void another_response_of_the_same_claim_is_not_taken_for_its_receipt() {
    Asking asking = Asking.about("another-response");
    Lease lease = asking.dispatched(ledger);
    committed(settle(ledger, lease));

    assertThat(ledger.settle(lease, Asking.response("other bytes"), Asking.RESULT))
        .isInstanceOf(SettleOutcome.AlreadySettled.class);
  }

  @Test
  void the_slow_paths_own_commit_is_read_back_as_well() {
    Asking asking = Asking.about("slow-too");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_REQUEST);
    proxy.disturbNext(secondCommit(), LOSE_ANSWER);

    committed(settle(ledger, lease));
    isSettledOnce(asking);
  }

  /** The second COMMIT: the first one is the read-back's. */
  private static Predicate<RoundTrip> secondCommit() {
    AtomicInteger commits = new AtomicInteger();
    return trip -> COMMIT.test(trip) && commits.incrementAndGet() == 2;
  }

  @Test // case I5
  void two_hundred_lost_answers_give_two_hundred_receipts() {
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      Asking asking = Asking.about("i5-" + round);
      Lease lease = asking.dispatched(rival);
      lose(SETTLE, LOSE_ANSWER);
      committed(settle(ledger, lease));
      isSettledOnce(asking);
    }
    assertThat(proxy.isSpent()).isTrue();
  }

  @Test // case I7
  void an_answer_that_never_comes_is_read_back() {
    Asking asking = Asking.about("swallowed");
    JooqLedger impatient = impatient();
    Lease lease = asking.dispatched(impatient);
    lose(SETTLE, new Disturbance.SwallowAnswer());

    committed(settle(impatient, lease));
    isSettledOnce(asking);
  }

  @Test // case I7
  void where_nothing_is_ever_answered_it_ends_all_the_same() {
    Asking asking = Asking.about("all-swallowed");
    JooqLedger impatient = impatient();
    Lease lease = asking.dispatched(impatient);
    loseEach(ANY, new Disturbance.SwallowAnswer(), 100);

    assertThatThrownBy(() -> settle(impatient, lease))
        .isInstanceOf(LedgerAnswerLostException.class);

    proxy.reset();
    isSettledOnce(asking);
    committed(settle(impatient, lease));
  }
}
