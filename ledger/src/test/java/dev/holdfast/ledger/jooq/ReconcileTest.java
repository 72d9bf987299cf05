package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jooq.Record;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What became of open attempts decides what the one who asked may do. */
class ReconcileTest extends ReconcileBed {
  ReconcileTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Nested
  class Happened {
    @Test
    void what_happened_is_completed_with_source_reconciled() {
      Lease first = died(document);
      Claim.Reconcile claim = asks(document);

      SettleOutcome outcome = happened(claim.lease(), claim.open().getFirst().effect());

      assertThat(outcome).isInstanceOf(SettleOutcome.Committed.class);
      assertThat(ledger.release(((SettleOutcome.Committed) outcome).permit()))
          .isInstanceOf(ReleaseOutcome.Released.class);
      document().isInState(OperationState.COMPLETED).hasObservations("succeeded recorded");
      countsItsOpenAttempts(0);
      Record receipt = bed.stored(document.reservation()).receipts().getFirst();
      assertThat(receipt.get(RECEIPT.SOURCE)).isEqualTo("reconciled");
      assertThat(receipt.get(RECEIPT.CLAIM_ID)).isEqualTo(claim.lease().claimId().value());
      assertThat(receipt.get(RECEIPT.EVIDENCE_CLAIM_ID)).isEqualTo(first.claimId().value());
      assertThat(document.claim(ledger)).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void found_after_the_lease_ran_out_is_stored_and_picked_up() {
      Lease first = died(document);
      ReconcilingLease lease = asks(document).lease();
      bed.pass(LEASE);

      assertThat(happened(lease, new EffectId("upstream-7")))
          .isEqualTo(new SettleOutcome.LeaseExpired());

      document().hasPendingEvidence(1);
      countsItsOpenAttempts(0);
      assertThat(document.claim(ledger)).isInstanceOf(Claim.Replay.class);
      assertThat(
              bed.stored(document.reservation())
                  .receipts()
                  .getFirst()
                  .get(RECEIPT.EVIDENCE_CLAIM_ID))
          .isEqualTo(first.claimId().value());
    }

    @Test // H8
    void the_witness_of_the_found_effect_is_the_same_effect() {
      Lease first = died(document);
      Claim.Reconcile claim = asks(document);
      happened(claim.lease(), claim.open().getFirst().effect());

      SettleOutcome late =
          ledger.settle(first, SettlementBed.response(first.claimId().toString()), Asking.RESULT);

      assertThat(late)
          .isInstanceOfSatisfying(
              SettleOutcome.AlreadySettled.class,
              settled -> assertThat(settled.operation().receiptClaim()).isEqualTo(first.claimId()));
      document().isInState(OperationState.COMPLETED).hasReceipts(1);
    }

    @Test // H10
    void the_witness_of_another_effect_is_a_conflict() {
      died(document);
      Lease second = mayDispatch(asks(document).lease(), Finality.FENCED).dispatch();
      bed.pass(LEASE);
      ReconcilingLease lease = asks(document).lease();
      happened(lease, new EffectId("upstream-7"));

      ledger.settle(second, SettlementBed.response("upstream-8"), Asking.RESULT);

      document().isInState(OperationState.CONFLICT);
    }

    @Test // H2
    void what_a_witness_stored_meanwhile_is_looked_at_first() {
      Lease first = died(document);
      ReconcilingLease lease = asks(document).lease();
      ledger.settle(first, SettlementBed.response("effect-1"), Asking.RESULT);

      assertThat(happened(lease, new EffectId("effect-2")))
          .isInstanceOf(SettleOutcome.AlreadySettled.class);

      document().isInState(OperationState.CONFLICT).hasReceipts(0);
      countsItsOpenAttempts(0);
    }

    @Test
    void what_a_witness_stored_meanwhile_of_the_same_effect_makes_one_receipt() {
      Lease first = died(document);
      ReconcilingLease lease = asks(document).lease();
      ledger.settle(first, SettlementBed.response("effect-1"), Asking.RESULT);

      assertThat(happened(lease, new EffectId("effect-1")))
          .isInstanceOf(SettleOutcome.Committed.class);

      document().isInState(OperationState.COMPLETED).hasReceipts(1).hasPendingEvidence(0);
      countsItsOpenAttempts(0);
    }

    @Test
    void a_late_failure_of_the_found_attempt_is_a_conflict() {
      Lease first = died(document);
      Claim.Reconcile claim = asks(document);
      happened(claim.lease(), claim.open().getFirst().effect());

      ledger.end(first, new AttemptEnd.Failed(new SettledFailure("no_such", 404)));

      document().isInState(OperationState.CONFLICT);
    }

    @Test
    void of_several_open_attempts_the_found_one_is_closed_alone() {
      Lease first = died(document);
      ReconcilingLease dead = asks(document).lease();
      bed.pass(LEASE);
      ReconcilingLease lease = asks(document).lease();

      ledger.reconcile(
          lease,
          new Finding.Happened(found(new EffectId("upstream-7")), Asking.RESULT, first.claimId()));

      document().isInState(OperationState.COMPLETED);
      countsItsOpenAttempts(1);
      assertThat(dead.claimId()).isNotEqualTo(first.claimId());
    }

    @Test
    void an_effect_under_the_asking_claims_id_or_of_a_stranger_is_refused() {
      died(document);
      ReconcilingLease lease = asks(document).lease();
      StoredOperation before = bed.stored(document.reservation());

      assertThatThrownBy(() -> happened(lease, new EffectId(lease.claimId().toString())))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  ledger.reconcile(
                      lease,
                      new Finding.Happened(
                          found(new EffectId("e")), Asking.RESULT, ClaimId.random())))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Finding.Happened(Asking.response(), Asking.RESULT, null))
          .isInstanceOf(IllegalArgumentException.class);

      document().isUntouchedSince(before);
    }
  }

  @Nested
  class Did_not_happen {
    @Test
    void before_the_horizon_it_is_not_final() {
      died(document);
      ReconcilingLease lease = asks(document).lease();

      assertThat(didNotHappen(lease, Finality.HORIZON))
          .isInstanceOfSatisfying(
              ReconcileOutcome.NotFinalYet.class,
              until ->
                  assertThat(until.until())
                      .isCloseTo(HORIZON.minus(LEASE), Duration.ofSeconds(20)));

      document()
          .isInState(OperationState.UNKNOWN)
          .isReleased()
          .hasObservations("not_dispatched closed");
      countsItsOpenAttempts(1);
    }

    @Test // H5
    void a_horizon_that_passes_while_one_asks_is_not_enough() {
      died(document);
      ReconcilingLease lease = asks(document.leasing(Duration.ofMinutes(10))).lease();
      bed.pass(HORIZON);

      assertThat(didNotHappen(lease, Finality.HORIZON))
          .isEqualTo(new ReconcileOutcome.NotFinalYet(Duration.ZERO));

      mayDispatch(asks(document).lease(), Finality.HORIZON);
      document().hasObservations("not_dispatched closed", "not_happened closed");
      countsItsOpenAttempts(1);
    }

    @Test
    void the_horizon_of_every_older_attempt_counts_that_of_an_earlier_reconciler_too() {
      died(document);
      asks(document);
      // between the two horizons, which are a lease apart
      bed.pass(HORIZON.minus(LEASE.dividedBy(2)));
      ReconcilingLease lease = asks(document).lease();

      assertThat(didNotHappen(lease, Finality.HORIZON))
          .isInstanceOf(ReconcileOutcome.NotFinalYet.class);

      bed.pass(LEASE);
      mayDispatch(asks(document).lease(), Finality.HORIZON);
      countsItsOpenAttempts(1);
    }

    @Test
    void behind_a_fence_no_horizon_is_waited_for() {
      Lease first = died(document);
      Claim.Reconcile claim = asks(document);

      UndispatchedLease lease = mayDispatch(claim.lease(), Finality.FENCED);

      assertThat(lease.token()).isEqualTo(claim.lease().token());
      assertThat(lease.claimId()).isEqualTo(claim.lease().claimId());
      document().isInState(OperationState.IN_PROGRESS).hasObservations("not_happened closed");
      countsItsOpenAttempts(1);
      Record closing = bed.stored(document.reservation()).observations().getFirst();
      assertThat(closing.get("observer")).isEqualTo("reconciler");
      assertThat(closing.get("claim_id")).isEqualTo(first.claimId().value());
      assertThat(closing.get("fencing_token")).isEqualTo(first.token().value());
    }

    @Test // H3
    void evidence_that_arrives_while_one_asks_forbids_the_dispatch() {
      Lease first = died(document);
      ReconcilingLease lease = asks(document).lease();
      assertThat(ledger.settle(first, Asking.response(), Asking.RESULT))
          .isInstanceOf(SettleOutcome.Preempted.class);

      assertThat(didNotHappen(lease, Finality.FENCED)).isEqualTo(new ReconcileOutcome.ClaimAgain());

      assertThat(document.claim(ledger)).isInstanceOf(Claim.Replay.class);
      countsItsOpenAttempts(0);
    }

    @Test
    void a_success_that_comes_after_it_is_heard() {
      Lease first = died(document);
      Lease second = mayDispatch(asks(document).lease(), Finality.FENCED).dispatch();
      ledger.settle(first, SettlementBed.response("effect-1"), Asking.RESULT);

      ledger.settle(second, SettlementBed.response("effect-2"), Asking.RESULT);

      document().isInState(OperationState.CONFLICT).hasReceipts(0);
    }

    @Test
    void it_starts_the_keys_life_anew() {
      Asking keyed =
          document.under(
              new OpenAttemptRule.SameKeyAgain(
                  Asking.KEY_HORIZON, Duration.ofMinutes(1), new OpenAttemptRule.AskFirst()));
      died(keyed);
      bed.pass(Asking.KEY_HORIZON);

      UndispatchedLease lease = mayDispatch(asks(keyed).lease(), Finality.HORIZON);

      assertThat(Objects.requireNonNull(lease.lastDispatch()).rest())
          .isCloseTo(Asking.KEY_HORIZON.minusMinutes(1), Duration.ofSeconds(20));
      lease.dispatch();
      bed.pass(LEASE);
      assertThat(keyed.claim(ledger)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void afterwards_one_statement_settles() {
      died(document);
      Lease lease = mayDispatch(asks(document).lease(), Finality.FENCED).dispatch();

      assertThat(bed.stored(document.reservation()).get(OPERATION.REVISION))
          .isEqualTo(lease.revision().value());
      assertThat(Asking.committed(ledger, lease)).isNotNull();
      countsItsOpenAttempts(0);
    }

    @Test
    void renewals_of_the_one_that_asked_hold_for_the_one_that_dispatches() {
      died(document);
      ReconcilingLease asking = asks(document).lease();
      UndispatchedLease lease = mayDispatch(asking, Finality.FENCED);
      bed.pass(LEASE.dividedBy(2));

      ledger.renew(List.of(asking), LEASE);

      assertThat(lease.expiry()).isEqualTo(asking.expiry());
      bed.pass(LEASE.dividedBy(2));
      assertThat(Asking.committed(ledger, lease.dispatch())).isNotNull();
    }

    @Test
    void without_finality_a_person_must_say() {
      died(document);

      assertThat(didNotHappen(asks(document).lease(), Finality.NONE))
          .isEqualTo(new ReconcileOutcome.Parked("not_final"));

      document().isParkedFor("not_final").isReleased();
      countsItsOpenAttempts(1);
      assertThat(document.claim(ledger)).isEqualTo(new Claim.Parked("not_final"));
    }
  }

  @Nested
  class Nobody_knows {
    @Test
    void what_only_a_person_can_tell_is_parked_for_the_reason_given() {
      Lease first = died(document);

      assertThat(
              ledger.reconcile(asks(document).lease(), new Finding.OnlyAPersonCanTell("other_tag")))
          .isEqualTo(new ReconcileOutcome.Parked("other_tag"));

      document().isParkedFor("other_tag").isReleased();
      countsItsOpenAttempts(1);
      ledger.end(first, new AttemptEnd.Refused(429));
      assertThat(document.claim(ledger)).isInstanceOf(Claim.Granted.class);
    }

    @Test // H12
    void with_nothing_open_any_more_nobody_is_waited_for() {
      Lease first = died(document);
      ReconcilingLease lease = asks(document).lease();
      ledger.end(first, new AttemptEnd.Refused(429));

      assertThat(ledger.reconcile(lease, new Finding.OnlyAPersonCanTell("other_tag")))
          .isEqualTo(new ReconcileOutcome.GivenBack());

      countsItsOpenAttempts(0);
      assertThat(document.claim(ledger)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void a_preempted_reconciler_closes_its_own_attempt_alone() {
      died(document);
      ReconcilingLease former = asks(document).lease();
      bed.pass(LEASE);
      ReconcilingLease rival = asks(document).lease();
      countsItsOpenAttempts(3);

      assertThat(didNotHappen(former, Finality.FENCED)).isEqualTo(new ReconcileOutcome.Lost());

      document().isInState(OperationState.IN_PROGRESS).wasLastClaimedBy(rival);
      countsItsOpenAttempts(2);
    }

    @Test
    void a_reconciler_whose_lease_ran_out_closes_its_own_attempt_alone() {
      died(document);
      ReconcilingLease lease = asks(document).lease();
      bed.pass(LEASE);

      assertThat(didNotHappen(lease, Finality.FENCED)).isEqualTo(new ReconcileOutcome.Lost());

      document().isInState(OperationState.UNKNOWN).isReleased();
      countsItsOpenAttempts(1);
    }
  }
}
