package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.GateReason;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.Rows;
import org.junit.jupiter.api.Test;

/** The second seed's example: a share is published behind an export, and behind nothing else. */
class ExportThenShareTest extends ResolverBed {
  private final Asking export =
      Asking.about(document.operation().key()).under(new OpenAttemptRule.RolledBack());
  private final Asking share = Asking.about("share-of-" + document.operation().key());

  private static final long TOLD = 1_000_002;

  private boolean told;

  ExportThenShareTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void a_crash_leaves_the_export_retryable_and_the_share_denied() {
    Lease crashed = export.dispatched(bed.jooq);
    assertDenied(GateReason.OPEN);
    bed.letLeasesRunOut();
    assertDenied(GateReason.OPEN);

    Lease resumed = export.dispatched(bed.jooq);
    assertDenied(GateReason.OPEN);

    assertThat(resumed.token().value()).isGreaterThan(crashed.token().value());
    assertOpens(Asking.committed(bed.jooq, resumed));
  }

  @Test
  void what_attempts_saw_opens_no_share() {
    Lease first = export.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    end(first, UNCLEAR);
    assertDenied(GateReason.OPEN);
    Lease second = export.dispatched(bed.jooq);
    end(second, REFUSED);
    assertDenied(GateReason.OPEN);

    // even a verified success opens nothing before it is settled
    assertThat(settle(first, "effect")).isInstanceOf(SettleOutcome.Preempted.class);
    document().hasPendingEvidence(1);
    assertDenied(GateReason.OPEN);
  }

  @Test
  void what_attempts_saw_closes_no_gate() {
    Lease first = export.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    Lease second = export.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    SettleOutcome.Committed exported = export.committed(bed.jooq);

    end(first, UNCLEAR);
    end(second, REFUSED);

    document().isInState(OperationState.COMPLETED);
    assertOpens(exported);
  }

  @Test
  void a_time_out_then_the_matching_success_completes_the_export() {
    Lease lease = export.dispatched(bed.jooq);
    end(lease, UNCLEAR);
    document().isInState(OperationState.UNKNOWN);
    settle(lease, "effect");

    assertThat(export.claim(bed.jooq)).isInstanceOf(Claim.Replay.class);

    document().isCompletedWith(SettlementBed.response("effect").digest()).hasReceipts(1);
    end(lease, UNCLEAR);
    document().isInState(OperationState.COMPLETED);
  }

  @Test // case H5
  void a_late_success_under_an_old_binding_opens_no_share_and_blocks_no_match() {
    Lease old = export.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    rebind(document);

    assertThat(settle(old, "effect")).isInstanceOf(SettleOutcome.Quarantined.class);
    assertDenied(GateReason.OPEN);
    assertThat(export.claim(bed.jooq)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));

    Asking rebound = export.inGeneration(1);
    Lease current = rebound.dispatched(bed.jooq);
    assertOpens(Asking.committed(bed.jooq, current));
    assertDenied(GateReason.MISMATCH);
    document().hasReceipts(2).hasObservations("succeeded quarantined");
  }

  /**
   * A share of the export as it was first asked for, whatever became of that, and as if somebody
   * had a receipt of it.
   */
  private void assertDenied(GateReason reason) {
    Reservation asked = export.reservation();
    if (!told) {
      Rows.of(bed.ledger).formerReceipt(asked, TOLD).insert();
      told = true;
    }
    Completion hoped =
        new Completion(
            asked.scope(),
            asked.operation(),
            asked.fingerprint(),
            asked.generation(),
            new Epoch(0),
            new EffectId("effect"),
            new ReceiptNumber(TOLD),
            new LedgerPosition("1", 1));
    Asking early = Asking.about("early-" + share.reservation().operation().key()).behind(hoped);

    assertThat(early.claim(bed.jooq)).isEqualTo(new Claim.GateClosed(asked.operation(), reason));
    LedgerAssert.assertThat(bed.stored(early.reservation())).isAbsent();
  }

  private void assertOpens(SettleOutcome.Committed exported) {
    assertThat(share.behind(exported.receipt().completion()).claim(bed.jooq))
        .isInstanceOf(Claim.Granted.class);
  }
}
