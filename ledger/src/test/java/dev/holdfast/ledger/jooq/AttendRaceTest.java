package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who looks after an operation waits for who was first, and sees what that one left. */
class AttendRaceTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final int ROUNDS = 20;

  AttendRaceTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private static Asking about(String what) {
    return Asking.about(what + KEYS.incrementAndGet());
  }

  private Lease died(Asking asking) {
    Lease lease = asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    return lease;
  }

  /** It has read the operation, and now waits for its row. */
  private Future<OperationView> looking(RowLock lock, Asking asking) {
    Future<OperationView> looked = Contenders.background(() -> asking.attended(ledger));
    lock.awaitWaiters(1);
    return looked;
  }

  @Test
  void a_claim_that_came_first_keeps_its_lease() throws Exception {
    Asking asking = about("claimed-").under(new OpenAttemptRule.AskFirst());
    died(asking);
    CountDownLatch release = hold(1, BEGIN);
    Future<OperationView> looked = Contenders.background(() -> asking.attended(ledger));
    awaitDisturbance();

    assertThat(asking.claim(rival)).isInstanceOf(Claim.Held.class);
    release.countDown();

    assertThat(looked.get().state()).isEqualTo(OperationState.IN_PROGRESS);
    operation(asking).hasOpenAttempts(2).hasObservations();
  }

  @Test
  void a_success_that_came_first_is_picked_up_not_parked() throws Exception {
    Asking asking = about("settled-").under(new OpenAttemptRule.ParkWhileOpen());
    Lease late = died(asking);
    CountDownLatch release = hold(1, BEGIN);
    Future<OperationView> looked = Contenders.background(() -> asking.attended(ledger));
    awaitDisturbance();

    rival.settle(late, Asking.response(), Asking.RESULT);
    release.countDown();

    assertThat(looked.get().state()).isEqualTo(OperationState.COMPLETED);
    operation(asking).hasReceipts(1).has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void what_moved_while_it_waited_for_the_row_is_seen() throws Exception {
    Asking asking = about("waited-").under(new OpenAttemptRule.ParkWhileOpen());
    died(asking);
    try (RowLock lock =
        RowLock.after(
            embedded,
            asking.reservation(),
            "update operation set state = 'unknown', open_attempts = 0, revision = revision + 1"
                + " where scope = ? and operation_id = ?")) {
      Future<OperationView> looked = looking(lock, asking);
      lock.commit();

      assertThat(looked.get().parkedReason()).isNull();
    }
    operation(asking).hasObservations();
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_lost_answer_is_asked_for_again_and_nothing_done_twice(Disturbance how) {
    Asking asking = about("lost-");
    Lease first = died(asking);
    asking.dispatched(rival);
    clock.shift(Asking.LEASE.multipliedBy(2));
    rival.settle(first, Asking.response(), Asking.RESULT);
    lose(COMMIT, how);

    assertThat(asking.attended(ledger).state()).isEqualTo(OperationState.COMPLETED);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking).hasReceipts(1).hasFormerAttempts(2).hasPendingEvidence(0);
  }

  @Test
  void claims_that_race_with_it_find_the_one_receipt() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Asking asking = about("raced-");
      clock.shift(Duration.ZERO);
      Lease late = died(asking);
      rival.settle(late, Asking.response(), Asking.RESULT);

      List<Object> answers =
          Contenders.<Object>race(
                  2, 1, (who, once) -> who == 0 ? asking.claim(rival) : asking.attended(ledger))
              .getFirst();

      assertThat(answers.getFirst()).isInstanceOf(Claim.Replay.class);
      operation(asking).isInState(OperationState.COMPLETED).hasReceipts(1).hasOpenAttempts(0);
    }
  }
}
