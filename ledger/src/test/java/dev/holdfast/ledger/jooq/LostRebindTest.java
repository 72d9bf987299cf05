package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answer of a rebind is lost: it is done once, and answered as it was. */
class LostRebindTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();

  LostRebindTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  private ActOutcome rebind(Asking asking, Mode mode) {
    Tuple seen = Tuple.of(asking.reservation(), new Epoch(0));
    return ledger
        .acts()
        .rebind(ActBed.terms(asking.reservation()), new Rebind(mode, seen, new Generation(1)));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void an_effect_is_adopted_once(Disturbance how) {
    Asking asking = Asking.about("adopted-" + KEYS.incrementAndGet());
    asking.committed(rival);
    lose(COMMIT, how);

    assertThat(rebind(asking, Mode.ADOPT)).isInstanceOf(ActOutcome.Done.class);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking)
        .isInState(OperationState.COMPLETED)
        .has(OPERATION.GENERATION, 1L)
        .hasReceipts(2)
        .hasFormerAttempts(1);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void it_is_run_again_once(Disturbance how) {
    Asking asking = Asking.about("again-" + KEYS.incrementAndGet());
    asking.committed(rival);
    lose(COMMIT, how);

    assertThat(rebind(asking, Mode.RE_EXECUTE)).isInstanceOf(ActOutcome.Done.class);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking).has(OPERATION.EPOCH, 1).has(OPERATION.GENERATION, 1L).hasFormerAttempts(1);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void it_is_carried_on_once(Disturbance how) {
    Asking asking = Asking.about("carried-" + KEYS.incrementAndGet());
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    lose(COMMIT, how);

    assertThat(rebind(asking, Mode.CARRY)).isInstanceOf(ActOutcome.Done.class);

    assertThat(proxy.isSpent()).isTrue();
    operation(asking)
        .has(OPERATION.EPOCH, 0)
        .has(OPERATION.GENERATION, 1L)
        .hasOpenAttempts(1)
        .hasFormerAttempts(1);
  }

  /** Neither the order nor any question about it arrives: nothing was done, and that is shown. */
  @ParameterizedTest
  @MethodSource("losses")
  void one_of_which_nobody_knows_is_shown_as_it_is_and_ordered_again_is_done_once(Disturbance how) {
    Asking asking = Asking.about("nobody-knows-" + KEYS.incrementAndGet());
    asking.committed(rival);
    ActTerms terms = ActBed.terms(asking.reservation());
    Rebind order =
        new Rebind(
            Mode.RE_EXECUTE, Tuple.of(asking.reservation(), new Epoch(0)), new Generation(1));
    proxy.reset();
    lose(COMMIT, how);
    loseEach(
        trip -> BEGIN.test(trip) && proxy.roundTrips().stream().anyMatch(COMMIT), LOSE_REQUEST, 4);

    assertThatThrownBy(() -> ledger.acts().rebind(terms, order))
        .isInstanceOf(LedgerAnswerLostException.class);

    int done = how.equals(LOSE_ANSWER) ? 1 : 0;
    assertThat(shown(asking).acts()).hasSize(done);
    assertThat(shown(asking).changes()).hasSize(done);
    operation(asking).has(OPERATION.EPOCH, done).has(OPERATION.GENERATION, (long) done);
    assertThat(rival.acts().rebind(terms, order)).isInstanceOf(ActOutcome.Done.class);
    assertThat(shown(asking).acts()).hasSize(1);
    operation(asking).has(OPERATION.EPOCH, 1).has(OPERATION.GENERATION, 1L);
  }

  private OperationStory shown(Asking asking) {
    return rival
        .acts()
        .show(asking.reservation().scope(), asking.reservation().operation())
        .orElseThrow();
  }
}
