package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A signed success comes by itself, and its answer is lost, or others come at the same time. */
class LostAttestTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final Asking asking = Asking.about("signed-" + KEYS.incrementAndGet());

  LostAttestTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  private static AttestedSuccess signed(Asking of, int epoch) {
    UpstreamResponse response =
        new UpstreamResponse(200, true, new byte[] {1}, List.of(), new EffectId("effect"));
    return new AttestedSuccess(
        Tuple.of(of.reservation(), new Epoch(epoch)),
        ((Verification.Verified) response.verifyAttested(DigestRule.OPTIONAL)).response(),
        Asking.RESULT,
        SettlementPolicy.STANDARD);
  }

  private void unclear(Asking of) {
    rival.end(of.dispatched(rival), new AttemptEnd.Unclear("timed_out"));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void it_is_stored_once(Disturbance how) {
    unclear(asking);
    lose(COMMIT, how);

    assertThat(ledger.attest(signed(asking, 0))).isInstanceOf(AttestOutcome.Pending.class);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking)
        .hasPendingEvidence(1)
        .hasObservations("timed_out demoted", "succeeded pending");
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void of_another_execution_it_is_set_aside_once_and_told_of_once(Disturbance how) {
    unclear(asking);
    List<QuarantineWarning> told = new CopyOnWriteArrayList<>();
    JooqLedger warned =
        JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard().warning(told::add));
    lose(COMMIT, how);

    assertThat(warned.attest(signed(asking, 7))).isInstanceOf(AttestOutcome.Quarantined.class);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking).hasObservations("timed_out demoted", "succeeded quarantined");
    assertThat(told).hasSize(1);
  }

  @Test
  void whoever_hears_of_no_answer_at_all_sends_it_again_and_it_counts_once() {
    unclear(asking);
    proxy.reset();
    lose(COMMIT, LOSE_ANSWER);
    loseEach(
        trip -> BEGIN.test(trip) && proxy.roundTrips().stream().anyMatch(COMMIT), LOSE_REQUEST, 4);

    assertThatThrownBy(() -> ledger.attest(signed(asking, 0)))
        .isInstanceOf(LedgerAnswerLostException.class);

    assertThat(rival.attest(signed(asking, 0))).isInstanceOf(AttestOutcome.Pending.class);
    operation(asking).hasPendingEvidence(1);
  }

  @Test
  void a_ghost_and_what_follows_it_are_one_delivery() throws Exception {
    unclear(asking);
    JooqLedger impatient = impatient();
    CountDownLatch ghost = hold(1, COMMIT);
    Future<AttestOutcome> delivered =
        Contenders.background(() -> impatient.attest(signed(asking, 0)));
    awaitDisturbance();
    CountDownLatch second = hold(1, COMMIT);

    ghost.countDown();
    second.countDown();

    assertThat(delivered.get()).isInstanceOf(AttestOutcome.Pending.class);
    awaitNoSession();
    operation(asking).hasPendingEvidence(1);
  }

  /** The holder settles while the upstream's own word of it arrives, twice. */
  @Test
  void with_the_holders_settlement_it_makes_one_receipt() throws Exception {
    List<Asking> each = new ArrayList<>();
    List<Lease> leases = new ArrayList<>();
    for (int round = 0; round < 15; round++) {
      each.add(Asking.about("settled-too-" + KEYS.incrementAndGet()));
      leases.add(each.getLast().dispatched(rival));
    }

    List<List<Object>> rounds =
        Contenders.race(
            3,
            each.size(),
            (contender, round) ->
                contender == 0
                    ? rival.settle(leases.get(round), Asking.response(), Asking.RESULT)
                    : rival.attest(signed(each.get(round), 0)));

    for (int round = 0; round < each.size(); round++) {
      assertThat(rounds.get(round).getFirst()).isInstanceOf(SettleOutcome.Committed.class);
      operation(each.get(round))
          .isInState(OperationState.COMPLETED)
          .hasReceipts(1)
          .hasPendingEvidence(0)
          .hasOpenAttempts(0);
    }
  }

  /** Nobody dispatches beside it: whoever claims behind it completes, whoever before it holds. */
  @Test
  void with_claims_of_a_dead_operation_it_is_picked_up_or_waits_for_the_holder() throws Exception {
    List<Asking> each = new ArrayList<>();
    for (int round = 0; round < 15; round++) {
      each.add(Asking.about("claimed-too-" + KEYS.incrementAndGet()));
      unclear(each.getLast());
    }

    List<List<Object>> rounds =
        Contenders.race(
            2,
            each.size(),
            (contender, round) ->
                contender == 0
                    ? each.get(round).claim(rival)
                    : rival.attest(signed(each.get(round), 0)));

    for (int round = 0; round < each.size(); round++) {
      Object claim = rounds.get(round).getFirst();
      if (claim instanceof Claim.Granted granted) {
        operation(each.get(round)).hasPendingEvidence(1).isInState(OperationState.IN_PROGRESS);
        Asking.committed(rival, granted.lease().dispatch());
      } else {
        assertThat(claim).isInstanceOf(Claim.Replay.class);
      }
      operation(each.get(round))
          .isInState(OperationState.COMPLETED)
          .hasReceipts(1)
          .has(OPERATION.PENDING_EVIDENCE, 0);
    }
  }
}
