package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.PreUnlockGate;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found where the answer to a finding was lost. */
class LostReconcileTest extends LossBed {
  LostReconcileTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  private ReconcilingLease asks(Asking asking) {
    asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    Claim claim = asking.claim(ledger);
    assertThat(claim).isInstanceOf(Claim.Reconcile.class);
    return ((Claim.Reconcile) claim).lease();
  }

  private static Asking about(String what, Disturbance how) {
    return Asking.about(what + how.getClass().getSimpleName())
        .under(new OpenAttemptRule.AskFirst());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_lease_that_may_dispatch_does_so_once(Disturbance how) {
    Asking asking = about("may", how);
    ReconcilingLease lease = asks(asking);
    lose(COMMIT, how);

    ReconcileOutcome outcome = ledger.reconcile(lease, new Finding.DidNotHappen(Finality.FENCED));

    assertThat(outcome).isInstanceOf(ReconcileOutcome.MayDispatch.class);
    assertThat(proxy.isSpent()).isTrue();
    operation(asking).hasOpenAttempts(1).hasObservations("not_happened closed");
    UndispatchedLease may = ((ReconcileOutcome.MayDispatch) outcome).lease();
    assertThat(ledger.settle(may.dispatch(), Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Committed.class);
    operation(asking).hasOpenAttempts(0).hasReceipts(1);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void what_happened_has_one_receipt_and_a_permit_that_releases(Disturbance how) {
    Asking asking = about("happened", how);
    ReconcilingLease lease = asks(asking);
    lose(COMMIT, how);

    ReconcileOutcome outcome =
        ledger.reconcile(
            lease,
            new Finding.Happened(
                ReconcileBed.found(new EffectId("upstream-7")), Asking.RESULT, null));

    assertThat(outcome).isInstanceOf(ReconcileOutcome.Settled.class);
    SettleOutcome.Committed committed = committed(((ReconcileOutcome.Settled) outcome).outcome());
    operation(asking)
        .isInState(OperationState.COMPLETED)
        .hasOpenAttempts(0)
        .hasReceipts(1)
        .hasObservations("succeeded recorded");
    assertThat(ledger.release(committed.permit())).isInstanceOf(ReleaseOutcome.Released.class);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void what_nobody_knows_is_given_back_once(Disturbance how) {
    Asking asking = about("unknown", how);
    ReconcilingLease lease = asks(asking);
    lose(COMMIT, how);

    assertThat(ledger.reconcile(lease, new Finding.NotKnownYet("in_flight")))
        .isEqualTo(new ReconcileOutcome.GivenBack());

    operation(asking).isReleased().hasOpenAttempts(1).hasObservations("not_dispatched closed");
  }

  @ParameterizedTest
  @MethodSource("losses")
  void what_may_still_land_says_until_when(Disturbance how) {
    Asking asking = about("landing", how);
    ReconcilingLease lease = asks(asking);
    lose(COMMIT, how);

    assertThat(ledger.reconcile(lease, new Finding.DidNotHappen(Finality.HORIZON)))
        .isInstanceOfSatisfying(
            ReconcileOutcome.NotFinalYet.class, not -> assertThat(not.until()).isPositive());

    operation(asking).isReleased().hasOpenAttempts(1).hasObservations("not_dispatched closed");
  }

  @ParameterizedTest
  @MethodSource("losses")
  void beside_evidence_it_says_that_a_claim_picks_it_up(Disturbance how) {
    Asking asking = about("witnessed", how);
    Lease late = asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    ReconcilingLease lease = ((Claim.Reconcile) asking.claim(ledger)).lease();
    rival.settle(late, Asking.response(), Asking.RESULT);
    lose(COMMIT, how);

    assertThat(ledger.reconcile(lease, new Finding.DidNotHappen(Finality.FENCED)))
        .isEqualTo(new ReconcileOutcome.ClaimAgain());

    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  /** Its settlement is as old as the first sending, not as the one that found it. */
  @Test
  void a_permit_that_was_read_back_late_is_not_taken_for_a_fresh_one() {
    LeaseMargin margin = new LeaseMargin(Asking.LEASE.minusSeconds(2));
    Asking asking =
        Asking.about("late-permit").under(new OpenAttemptRule.AskFirst()).keeping(margin.value());
    asking.dispatched(ledger);
    clock.stopAt(Instant.now().plus(Asking.LEASE.multipliedBy(2)));
    ReconcilingLease lease = ((Claim.Reconcile) asking.claim(ledger)).lease();
    JooqLedger waiting =
        JooqLedger.open(
            embedded.dataSource(proxy),
            LedgerOptions.standard().answeringWithin(Duration.ofMillis(2_500)));
    Finding happened =
        new Finding.Happened(ReconcileBed.found(new EffectId("upstream-7")), Asking.RESULT, null);
    // the answer is waited for longer than the lease has to spare
    lose(COMMIT, new Disturbance.SwallowAnswer());
    ReconcileOutcome settled = waiting.reconcile(lease, happened);

    SettleOutcome.Committed found = committed(((ReconcileOutcome.Settled) settled).outcome());

    assertThat(Mint.decision(found.permit())).isInstanceOf(PreUnlockGate.Refused.class);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void what_only_a_person_can_tell_is_parked_once(Disturbance how) {
    Asking asking = about("parked", how);
    ReconcilingLease lease = asks(asking);
    lose(COMMIT, how);

    assertThat(ledger.reconcile(lease, new Finding.OnlyAPersonCanTell("other_tag")))
        .isEqualTo(new ReconcileOutcome.Parked("other_tag"));

    operation(asking)
        .isParkedFor("other_tag")
        .hasOpenAttempts(1)
        .hasObservations("not_dispatched closed");
  }
}
