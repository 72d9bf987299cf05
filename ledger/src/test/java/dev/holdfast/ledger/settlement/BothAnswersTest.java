package dev.holdfast.ledger.settlement;

import static dev.holdfast.ledger.settlement.Example.TUPLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** One attempt is told as a success and as a definite failure. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BothAnswersTest {
  private static final SettlementPolicy FIRST_FAILURE_STANDS =
      new SettlementPolicy(PayloadPolicy.CONFLICT, TerminalPolicy.FIRST_COMMIT_WINS);

  @Test
  void the_holders_success_is_a_conflict_where_that_attempt_is_on_record_as_failed() {
    CurrentOperation denied =
        new CurrentOperation(
            OperationState.IN_PROGRESS,
            TUPLE,
            LeaseStanding.LIVE,
            ObserverStanding.HOLDER,
            false,
            null,
            Set.of(Example.attempt(1)));

    assertThat(settle(denied, Example.succeeded(1, 1))).isEqualTo(new Verdict.Conflicted());
    assertThat(settle(denied, Example.succeeded(1, 2))).isEqualTo(new Verdict.Receipt());
    assertThat(Settlement.settle(denied, Example.succeeded(1, 1), FIRST_FAILURE_STANDS))
        .isEqualTo(new Verdict.Receipt());
  }

  @Test
  void after_completion_neither_order_of_a_second_witness_hides_it() {
    CurrentOperation denied = witnessed(Set.of(Example.attempt(1)), Set.of(Example.attempt(2)));
    CurrentOperation seen = witnessed(Set.of(Example.attempt(1), Example.attempt(2)), Set.of());

    assertThat(settle(denied, Example.succeeded(1, 2))).isEqualTo(new Verdict.Conflicted());
    assertThat(settle(seen, Example.failed(2))).isEqualTo(new Verdict.Conflicted());
    assertThat(settle(seen, Example.failed(3)))
        .isEqualTo(new Verdict.Recorded(OperationState.COMPLETED));
    assertThat(Settlement.settle(denied, Example.succeeded(1, 2), FIRST_FAILURE_STANDS))
        .isEqualTo(new Verdict.Recorded(OperationState.COMPLETED));
  }

  private static CurrentOperation witnessed(Set<ClaimId> attempts, Set<ClaimId> denied) {
    return new CurrentOperation(
        OperationState.COMPLETED,
        TUPLE,
        LeaseStanding.NONE,
        ObserverStanding.PREEMPTED,
        false,
        new SettledEffect(Example.effect(1), attempts),
        denied);
  }

  private static Verdict settle(CurrentOperation current, Observation observation) {
    return Settlement.settle(current, observation, SettlementPolicy.STANDARD);
  }
}
