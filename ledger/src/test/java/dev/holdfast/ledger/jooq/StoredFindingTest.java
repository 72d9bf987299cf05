package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;

/** Who finds what its witness has stored already has dispatched nothing all the same. */
class StoredFindingTest extends ReconcileBed {
  private static final EffectId EFFECT = new EffectId("upstream-7");

  StoredFindingTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void beside_pending_evidence_the_attempt_that_asked_is_closed() {
    Lease first = died(document);
    ReconcilingLease asking = asks(document).lease();
    bed.pass(LEASE);
    ledger.settle(first, found(EFFECT), Asking.RESULT);
    document().hasPendingEvidence(1);

    assertThat(happened(asking, EFFECT)).isEqualTo(new SettleOutcome.LeaseExpired());

    document().hasPendingEvidence(1);
    countsItsOpenAttempts(0);
    assertThat(document.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void behind_a_receipt_the_attempt_that_asked_is_closed() {
    Lease first = died(document);
    ReconcilingLease asking = asks(document).lease();
    bed.pass(LEASE);
    ledger.settle(first, found(EFFECT), Asking.RESULT);
    assertThat(document.claim(ledger)).isInstanceOf(Claim.Replay.class);

    assertThat(happened(asking, EFFECT)).isInstanceOf(SettleOutcome.AlreadySettled.class);

    document().isInState(OperationState.COMPLETED).hasReceipts(1);
    countsItsOpenAttempts(0);
  }
}
