package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule.ParkWhileOpen;
import dev.holdfast.ledger.OpenAttemptRule.RolledBack;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.RoundTrip;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A person acts while others do, in either order, each driven to it. */
class ActOrderTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final Decision DID_NOT_HAPPEN = new Decision.DidNotHappen(true);

  private final Asking asking =
      Asking.about("ordered-" + KEYS.incrementAndGet()).under(new RolledBack());

  ActOrderTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private static boolean locks(RoundTrip trip) {
    return trip.mentions("for update");
  }

  private Lease died() {
    Lease lease = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    return lease;
  }

  private ActTerms terms() {
    return ActBed.terms(asking.reservation());
  }

  private ActOutcome resolve() {
    return ledger.acts().resolve(terms(), DID_NOT_HAPPEN);
  }

  /** What the act answers where the other came between its looking for the row and its lock. */
  private ActOutcome after(Callable<?> other) throws Exception {
    CountDownLatch lock = hold(1, ActOrderTest::locks);
    Future<ActOutcome> act = Contenders.background(this::resolve);
    awaitDisturbance();
    other.call();
    lock.countDown();
    return act.get();
  }

  /** What the other answers that waits for a row whose act is about to be committed. */
  private <T> T during(Callable<T> other) throws Exception {
    CountDownLatch commit = hold(1, COMMIT);
    Future<ActOutcome> act = Contenders.background(this::resolve);
    awaitDisturbance();
    Future<T> waiting = Contenders.background(other);
    awaitWaiter();
    commit.countDown();
    assertThat(act.get()).isInstanceOf(ActOutcome.Done.class);
    return waiting.get();
  }

  private void awaitWaiter() {
    await()
        .until(
            () ->
                embedded
                    .sql()
                    .fetchSingle(
                        "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
                            + " and datname = current_database()")
                    .get(0, Boolean.class));
  }

  private SettleOutcome settles(Lease lease) {
    return rival.settle(lease, Asking.response(), Asking.RESULT);
  }

  @Test
  void after_a_claim_it_is_held() throws Exception {
    died();

    assertThat(after(() -> asking.claim(rival))).isInstanceOf(ActOutcome.Held.class);

    operation(asking).isInState(OperationState.IN_PROGRESS).hasOpenAttempts(2);
  }

  @Test
  void a_claim_that_waited_for_it_is_granted_beside_nothing_open() throws Exception {
    Lease former = died();

    Claim claim = during(() -> asking.claim(rival));

    assertThat(claim).isInstanceOf(Claim.Granted.class);
    assertThat(((Claim.Granted) claim).lease().token().value())
        .isGreaterThan(former.token().value() + 1);
    operation(asking).hasOpenAttempts(1).hasFormerAttempts(2);
  }

  @Test
  void after_a_settlement_there_is_nothing_left_to_decide() throws Exception {
    Lease lease = asking.dispatched(rival);

    assertThat(after(() -> settles(lease))).isInstanceOf(ActOutcome.NotApplicable.class);

    operation(asking).isInState(OperationState.COMPLETED).hasReceipts(1);
  }

  // H1
  @Test
  void after_late_evidence_it_passes_over_no_witness() throws Exception {
    Lease late = died();

    assertThat(after(() -> settles(late))).isEqualTo(new ActOutcome.EvidenceWaits(1));

    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }

  // H1
  @Test
  void late_evidence_that_waited_for_it_is_stored_all_the_same() throws Exception {
    Lease late = died();

    assertThat(during(() -> settles(late))).isInstanceOf(SettleOutcome.Preempted.class);

    operation(asking).hasPendingEvidence(1).hasOpenAttempts(0);
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void an_end_that_waited_for_it_closes_nothing_twice() throws Exception {
    Lease late = died();

    assertThat(during(() -> rival.end(late, new AttemptEnd.Refused(429))))
        .isInstanceOf(EndOutcome.Recorded.class);

    operation(asking).hasOpenAttempts(0);
  }

  @Test
  void after_a_park_it_decides_what_was_parked() throws Exception {
    died();
    Asking opaque = asking.under(new ParkWhileOpen());

    ActOutcome outcome = after(() -> opaque.claim(rival));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            ActOutcome.Done.class,
            done -> assertThat(done.before().parkedReason()).isEqualTo("open_attempt"));
    assertThat(opaque.claim(rival)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_park_that_waited_for_it_parks_nothing() throws Exception {
    died();
    Asking opaque = asking.under(new ParkWhileOpen());

    assertThat(during(() -> opaque.claim(rival))).isInstanceOf(Claim.Granted.class);

    operation(asking).has(OPERATION.PARKED_REASON, null).hasOpenAttempts(1);
  }

  @Test
  void a_second_person_sees_that_the_first_has_moved_it() throws Exception {
    died();
    Revision seen = revision();

    assertThat(
            during(
                () ->
                    rival
                        .acts()
                        .resolve(
                            ActBed.terms(asking.reservation(), seen, false),
                            new Decision.Failed(ActBed.NO_SUCH, true))))
        .isInstanceOf(ActOutcome.Moved.class);

    operation(asking).isInState(OperationState.UNKNOWN).hasFormerAttempts(1);
  }

  private Revision revision() {
    return rival
        .read(asking.reservation().scope(), asking.reservation().operation())
        .orElseThrow()
        .revision();
  }

  /** Its reservation is another one whenever it comes to the lock. */
  @Test
  void where_others_never_stop_moving_it_nothing_is_done() throws Exception {
    died();
    CountDownLatch lock = hold(1, ActOrderTest::locks);
    Future<ActOutcome> act = Contenders.background(this::resolve);
    for (int round = 1; round <= LedgerOptions.standard().retries(); round++) {
      awaitDisturbance();
      ResolverBed.rebind(embedded, asking.reservation());
      CountDownLatch passed = lock;
      if (round < LedgerOptions.standard().retries()) {
        lock = hold(1, ActOrderTest::locks);
      }
      passed.countDown();
    }

    assertThat(act.get()).isEqualTo(new ActOutcome.Contended());
    operation(asking).hasOpenAttempts(1).hasFormerAttempts(0).hasObservations();
  }
}
