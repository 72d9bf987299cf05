package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who asks under a newer generation finds what an older one did: a person must say. */
class OtherGenerationFoundTest extends ReconcileBed {
  OtherGenerationFoundTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private Asking carried() {
    Tuple seen = Tuple.of(document.reservation(), new Epoch(0));
    ActOutcome carried =
        ledger
            .acts()
            .rebind(
                ActBed.terms(document.reservation()),
                new Rebind(Rebind.Mode.CARRY, seen, new Generation(1)));
    assertThat(carried).isInstanceOf(ActOutcome.Done.class);
    return document.inGeneration(1);
  }

  private ReconcileOutcome happened(Asking asking, Lease of, @Nullable ClaimId attempt) {
    return ledger.reconcile(
        asks(asking).lease(),
        new Finding.Happened(found(new EffectId(of.claimId().toString())), Asking.RESULT, attempt));
  }

  @Test
  void it_is_parked_and_completes_nothing() {
    Lease old = died(document);
    Asking newer = carried();

    assertThat(happened(newer, old, old.claimId()))
        .isEqualTo(new ReconcileOutcome.Parked("other_generation"));

    document().isParkedFor("other_generation").hasReceipts(0);
    countsItsOpenAttempts(1);
    assertThat(newer.claim(ledger)).isEqualTo(new Claim.Parked("other_generation"));
  }

  @Test
  void nor_does_an_effect_of_which_nobody_can_tell_the_attempt() {
    Lease old = died(document);
    Asking newer = carried();
    bed.pass(LEASE);
    newer.under(document.rule()).claim(ledger);
    bed.pass(LEASE);

    assertThat(happened(newer, old, null)).isInstanceOf(ReconcileOutcome.Parked.class);
  }

  @Test
  void what_the_newer_generation_did_completes_it() {
    died(document);
    Asking newer = carried();
    Claim.Reconcile asks = asks(newer);
    bed.pass(HORIZON);
    assertThat(ledger.reconcile(asks.lease(), new Finding.NotKnownYet("later")))
        .isInstanceOf(ReconcileOutcome.GivenBack.class);
    Lease next = mayDispatch(asks(newer).lease(), Finding.Finality.HORIZON).dispatch();
    bed.pass(LEASE);

    assertThat(happened(newer, next, next.claimId())).isInstanceOf(ReconcileOutcome.Settled.class);

    document().hasReceipts(1);
  }
}
