package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the counter of open attempts and the histories differ, the histories are the truth. */
class DriftedCounterTest extends ActBed {
  private final Asking asking =
      new Asking(
          document, Asking.LEASE, LeaseMargin.STANDARD, new OpenAttemptRule.AskFirst(), List.of());

  DriftedCounterTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  /** Another library, or a person's hand, has miscounted. */
  private void miscount(int by) {
    int rows =
        ledger
            .sql()
            .update(OPERATION)
            .set(OPERATION.OPEN_ATTEMPTS, OPERATION.OPEN_ATTEMPTS.plus(by))
            .set(OPERATION.REVISION, OPERATION.REVISION.plus(1))
            .where(OPERATION.OPERATION_ID.eq(document.operation().text()))
            .execute();
    assertThat(rows).isEqualTo(1);
  }

  private ReconcilingLease asks() {
    asking.dispatched(bed.jooq);
    bed.pass(Asking.LEASE);
    return ((Claim.Reconcile) asking.claim(bed.jooq)).lease();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void who_asked_goes_by_what_it_asked_about(int drift) {
    ReconcilingLease lease = asks();
    miscount(drift);

    assertThat(bed.jooq.reconcile(lease, new Finding.DidNotHappen(Finality.FENCED)))
        .isInstanceOf(ReconcileOutcome.MayDispatch.class);

    countsItsOpenAttempts(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void what_is_given_back_counts_what_is_left(int drift) {
    ReconcilingLease lease = asks();
    miscount(drift);

    assertThat(bed.jooq.reconcile(lease, new Finding.NotKnownYet("in_flight")))
        .isInstanceOf(ReconcileOutcome.GivenBack.class);

    countsItsOpenAttempts(1);
  }

  @Test
  void an_act_hides_no_open_attempt_that_nobody_counted() {
    bed.claimBriefly(document);
    miscount(-1);
    StoredOperation before = bed.stored(document);

    assertThat(resolve(didNotHappen())).isInstanceOf(ActOutcome.TooEarly.class);

    document().isUntouchedSince(before);
    passTheHorizon();
    done(resolve(didNotHappen()));
    countsItsOpenAttempts(0);
  }

  @Test
  void what_happened_closes_its_attempt_though_nobody_counted_it() {
    bed.claimBriefly(document);
    miscount(-1);

    done(resolve(happened("effect-1", null)));

    countsItsOpenAttempts(0);
    assertThat(bed.stored(document).get(OPERATION.EFFECT_ID))
        .isEqualTo(new EffectId("effect-1").value());
  }
}
