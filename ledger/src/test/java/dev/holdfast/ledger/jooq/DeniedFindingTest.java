package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;

/** A reconciler finds the effect of an attempt that says of itself that it failed. */
class DeniedFindingTest extends ReconcileBed {
  private static final EffectId EFFECT = new EffectId("upstream-7");

  DeniedFindingTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void it_is_a_conflict_where_the_failure_came_first() {
    Lease first = died(document);
    ReconcilingLease asking = asks(document).lease();
    ledger.end(first, ResolverBed.FAILED);

    assertThat(happened(asking, EFFECT))
        .isInstanceOfSatisfying(
            SettleOutcome.AlreadySettled.class,
            settled -> assertThat(settled.operation().state()).isEqualTo(OperationState.CONFLICT));

    document().isInState(OperationState.CONFLICT).hasReceipts(0);
    countsItsOpenAttempts(0);
  }

  @Test
  void it_is_a_conflict_where_the_failure_came_last() {
    Lease first = died(document);
    assertThat(happened(asks(document).lease(), EFFECT))
        .isInstanceOf(SettleOutcome.Committed.class);

    ledger.end(first, ResolverBed.FAILED);

    document().isInState(OperationState.CONFLICT).hasReceipts(1);
    countsItsOpenAttempts(0);
  }

  @Test
  void the_failure_of_another_attempt_changes_nothing() {
    Asking sendsAgain = document.under(new OpenAttemptRule.RolledBack());
    Lease first = died(sendsAgain);
    Lease second = died(sendsAgain);
    ReconcilingLease asking = asks(document).lease();
    ledger.end(second, ResolverBed.FAILED);

    ReconcileOutcome outcome =
        ledger.reconcile(
            asking, new Finding.Happened(found(EFFECT), Asking.RESULT, first.claimId()));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            ReconcileOutcome.Settled.class,
            settled -> assertThat(settled.outcome()).isInstanceOf(SettleOutcome.Committed.class));
  }
}
