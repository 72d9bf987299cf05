package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** One operation of an upstream that can be asked, and those who ask. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class ReconcileBed {
  static final Duration LEASE = Asking.LEASE;

  /** From a claim on: it may dispatch for two leases, and its request is under way for 10 s. */
  static final Duration HORIZON = LEASE.multipliedBy(2).plusSeconds(10);

  private static final AtomicInteger KEYS = new AtomicInteger();

  final SettlementBed bed;
  final JooqLedger ledger;
  final Asking document = fresh();

  ReconcileBed(EmbeddedLedger embedded) {
    this.bed = new SettlementBed(embedded);
    this.ledger = bed.jooq;
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  static Asking fresh() {
    return Asking.about("asked-" + KEYS.incrementAndGet()).under(new OpenAttemptRule.AskFirst());
  }

  /** A first attempt, dispatched, its lease over when this returns. */
  Lease died(Asking asking) {
    Lease lease = asking.dispatched(ledger);
    bed.pass(LEASE);
    return lease;
  }

  Claim.Reconcile asks(Asking asking) {
    Claim claim = asking.claim(ledger);
    assertThat(claim).isInstanceOf(Claim.Reconcile.class);
    return (Claim.Reconcile) claim;
  }

  ReconcileOutcome didNotHappen(ReconcilingLease lease, Finality finality) {
    return ledger.reconcile(lease, new Finding.DidNotHappen(finality));
  }

  UndispatchedLease mayDispatch(ReconcilingLease lease, Finality finality) {
    ReconcileOutcome outcome = didNotHappen(lease, finality);
    assertThat(outcome).isInstanceOf(ReconcileOutcome.MayDispatch.class);
    return ((ReconcileOutcome.MayDispatch) outcome).lease();
  }

  SettleOutcome happened(ReconcilingLease lease, EffectId effect) {
    ReconcileOutcome outcome =
        ledger.reconcile(lease, new Finding.Happened(found(effect), Asking.RESULT, null));
    assertThat(outcome).isInstanceOf(ReconcileOutcome.Settled.class);
    return ((ReconcileOutcome.Settled) outcome).outcome();
  }

  static VerifiedResponse found(EffectId effect) {
    UpstreamResponse shown =
        new UpstreamResponse(
            200, true, "as asked".getBytes(StandardCharsets.UTF_8), List.of(), effect);
    Verification verified = shown.verifyFound(UpstreamResponse.DigestRule.OPTIONAL);
    assertThat(verified).isInstanceOf(Verification.Verified.class);
    return ((Verification.Verified) verified).response();
  }

  LedgerAssert document() {
    return LedgerAssert.assertThat(bed.stored(document.reservation()));
  }

  /** The counter says so, and the histories say the same. */
  void countsItsOpenAttempts(int expected) {
    document().hasOpenAttempts(expected);
    assertThat(bed.openAttempts(document.reservation())).as("by the histories").isEqualTo(expected);
  }
}
