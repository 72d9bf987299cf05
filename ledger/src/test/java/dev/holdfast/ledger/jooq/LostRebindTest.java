package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
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
}
