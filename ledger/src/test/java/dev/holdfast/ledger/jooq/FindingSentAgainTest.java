package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A finding that is reported twice, as after a lost answer, counts once. */
class FindingSentAgainTest extends ReconcileBed {
  FindingSentAgainTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  static Stream<Finding> findings() {
    return Stream.of(
        new Finding.DidNotHappen(Finality.FENCED),
        new Finding.DidNotHappen(Finality.NONE),
        new Finding.NotKnownYet("in_flight"),
        new Finding.OnlyAPersonCanTell("other_tag"));
  }

  @ParameterizedTest
  @MethodSource("findings")
  void the_same_finding_sent_again_changes_nothing(Finding finding) {
    died(document);
    ReconcilingLease lease = asks(document).lease();
    ReconcileOutcome first = ledger.reconcile(lease, finding);
    StoredOperation before = bed.stored(document.reservation());

    assertThat(ledger.reconcile(lease, finding)).isEqualTo(first);

    document().isUntouchedSince(before);
    assertThat(bed.stored(document.reservation()).observations())
        .hasSameSizeAs(before.observations());
  }

  @Test
  void what_happened_sent_again_finds_its_own_receipt() {
    died(document);
    Claim.Reconcile claim = asks(document);
    EffectId effect = claim.open().getFirst().effect();
    SettleOutcome first = happened(claim.lease(), effect);

    SettleOutcome again = happened(claim.lease(), effect);

    assertThat(List.of(first, again)).allMatch(SettleOutcome.Committed.class::isInstance);
    assertThat(((SettleOutcome.Committed) again).receipt().completion())
        .isEqualTo(((SettleOutcome.Committed) first).receipt().completion());
    document().hasReceipts(1).hasObservations("succeeded recorded");
  }

  @Test
  void a_lease_that_may_dispatch_reports_nothing_else() {
    died(document);
    ReconcilingLease lease = asks(document).lease();
    mayDispatch(lease, Finality.FENCED);

    assertThatThrownBy(() -> ledger.reconcile(lease, new Finding.NotKnownYet("in_flight")))
        .isInstanceOf(IllegalStateException.class);
  }
}
