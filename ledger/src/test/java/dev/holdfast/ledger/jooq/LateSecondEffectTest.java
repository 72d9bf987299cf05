package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;

/**
 * "It did not happen" was said, and it had: the second effect is seen, and nothing builds on it.
 */
class LateSecondEffectTest extends ReconcileBed {
  LateSecondEffectTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test // H1
  void after_a_persons_word_it_closes_the_gate() {
    Asking opaque = document.under(new OpenAttemptRule.ParkWhileOpen());
    Lease first = died(opaque);
    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Parked.class);
    assertThat(ledger.acts().resolve(terms(), new Decision.DidNotHappen(true)))
        .isInstanceOf(ActOutcome.Done.class);

    closesTheGate(first, opaque.dispatched(ledger));
  }

  @Test // H5
  void after_a_reconcilers_word_it_closes_the_gate() {
    Lease first = died(document);
    ReconcilingLease asking = asks(document).lease();

    closesTheGate(first, mayDispatch(asking, Finality.FENCED).dispatch());
  }

  private void closesTheGate(Lease first, Lease second) {
    SettleOutcome outcome =
        ledger.settle(second, SettlementBed.response("effect-2"), Asking.RESULT);
    assertThat(outcome).isInstanceOf(SettleOutcome.Committed.class);
    Completion completion = ((SettleOutcome.Committed) outcome).receipt().completion();
    assertThat(shareBehind(completion, "early")).isInstanceOf(Claim.Granted.class);

    ledger.settle(first, SettlementBed.response("effect-1"), Asking.RESULT);

    document().isInState(OperationState.CONFLICT).hasReceipts(1);
    assertThat(shareBehind(completion, "late"))
        .isEqualTo(
            new Claim.GateClosed(document.reservation().operation(), Claim.GateReason.CONFLICT));
  }

  private Claim shareBehind(Completion completion, String which) {
    return Asking.about(document.reservation().operation().key() + which)
        .behind(completion)
        .claim(ledger);
  }

  private ActTerms terms() {
    OperationId operation = document.reservation().operation();
    return new ActTerms(
        document.reservation().scope(), operation, null, "ann", "asked the upstream", false);
  }
}
