package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each row of the terminal resolver for an operation in progress, as rows of a real ledger. */
class SettlementTransactionTest extends ResolverBed {
  SettlementTransactionTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Nested
  class In_progress {
    @Test
    void a_success_of_the_holder_completes_it_with_a_receipt() {
      Lease lease = bed.claim(document);

      SettleOutcome outcome = settle(lease, "effect-1");

      assertThat(outcome)
          .isInstanceOfSatisfying(
              SettleOutcome.Committed.class,
              committed -> {
                assertThat(committed.receipt().token()).isEqualTo(lease.token());
                assertThat(committed.receipt().claimId()).isEqualTo(lease.claimId());
                assertThat(committed.receipt().marginLeft()).isPositive();
                assertThat(committed.permit().receipt()).isEqualTo(committed.receipt());
              });
      document()
          .isCompletedWith(response("effect-1").digest())
          .wasLastClaimedBy(lease)
          .isNotReleased()
          .hasReceipts(1)
          .hasObservations();
      countsItsOpenAttempts(0);
    }

    @Test
    void a_success_of_the_holder_completes_it_although_its_revision_moved() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      Lease lease = bed.claim(document);
      end(former, REFUSED);

      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.Committed.class);
      document().hasReceipts(1).hasObservations("refused closed");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_success_after_the_lease_ran_out_is_stored_and_changes_no_state() {
      Lease lease = bed.claim(document);
      bed.letLeasesRunOut();

      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
      document()
          .isInState(OperationState.IN_PROGRESS)
          .hasPendingEvidence(1)
          .hasReceipts(0)
          .has(OPERATION.REVISION, 2L)
          .hasObservations("succeeded pending");
      assertThat(bed.stored(document).get(OPERATION.ATTENTION_AT)).isNotNull();
      countsItsOpenAttempts(0);
    }

    @Test
    void a_success_of_a_preempted_holder_is_stored_and_leaves_the_rival_its_lease() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      Lease rival = bed.claim(document);

      assertThat(settle(former, "effect-1")).isInstanceOf(SettleOutcome.Preempted.class);
      document()
          .isInState(OperationState.IN_PROGRESS)
          .wasLastClaimedBy(rival)
          .hasPendingEvidence(1)
          .hasObservations("succeeded pending");
      countsItsOpenAttempts(1);
    }

    @Test
    void a_success_or_failure_with_a_thin_margin_stores_nothing() {
      Lease lease = thin();
      StoredOperation before = bed.stored(document);

      assertThat(settle(lease, "effect-1"))
          .isInstanceOfSatisfying(
              SettleOutcome.MarginTooThin.class,
              thin -> assertThat(thin.left()).isPositive().isLessThan(MARGIN.value()));
      assertThat(end(lease, FAILED)).isInstanceOf(EndOutcome.MarginTooThin.class);
      document().isUntouchedSince(before).hasObservations();
    }

    @Test
    void a_refusal_needs_no_margin() {
      Lease lease = thin();

      assertThat(ended(lease, REFUSED).state()).isEqualTo(OperationState.UNKNOWN);
    }

    @Test
    void a_definite_failure_of_the_holder_fails_it_and_ends_its_lease() {
      Lease lease = bed.claim(document);

      OperationView failed = ended(lease, FAILED);

      assertThat(failed.failure()).isEqualTo(new SettledFailure("no_such", 404));
      document()
          .isInState(OperationState.FAILED)
          .isReleased()
          .has(OPERATION.UPSTREAM_STATUS, 404)
          .hasObservations("failed failure");
      assertThat(bed.stored(document).get(OPERATION.SETTLED_AT)).isNotNull();
      countsItsOpenAttempts(0);
      assertThat(bed.jooq.claim(request(document)))
          .isEqualTo(new Claim.AlreadyFailed(new SettledFailure("no_such", 404)));
    }

    @Test
    void a_definite_failure_next_to_an_open_attempt_is_unknown() {
      bed.claim(document);
      bed.letLeasesRunOut();
      Lease lease = bed.claim(document);

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.UNKNOWN);
      document().isReleased().has(OPERATION.FAILURE_CODE, null).hasObservations("failed closed");
      countsItsOpenAttempts(1);
    }

    @Test
    void a_definite_failure_fails_it_when_every_other_attempt_was_past_its_horizon() {
      bed.claim(document);
      bed.pass(SettlementBed.LEASE.multipliedBy(3));
      Lease lease = bed.claim(document);

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.FAILED);
    }

    @Test
    void a_definite_failure_fails_it_when_every_other_attempt_was_closed() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      Lease lease = bed.claim(document);
      end(former, FAILED);

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.FAILED);
      document().hasObservations("failed closed", "failed failure");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_definite_failure_after_the_lease_ran_out_closes_its_own_attempt_alone() {
      Lease lease = bed.claim(document);
      bed.letLeasesRunOut();

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.IN_PROGRESS);
      document().hasObservations("failed closed");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_refusal_by_the_live_holder_makes_it_unknown_and_ends_the_lease() {
      Lease lease = bed.claim(document);

      assertThat(ended(lease, REFUSED).state()).isEqualTo(OperationState.UNKNOWN);
      document().isReleased().hasObservations("refused closed");
      countsItsOpenAttempts(0);
      assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void a_refusal_by_a_preempted_holder_leaves_the_rival_its_lease() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      Lease rival = bed.claim(document);

      assertThat(ended(former, REFUSED).state()).isEqualTo(OperationState.IN_PROGRESS);
      document().wasLastClaimedBy(rival).isNotReleased();
      countsItsOpenAttempts(1);
    }

    @Test
    void an_unclear_end_leaves_the_attempt_open_and_nobody_waits_for_the_lease() {
      Lease lease = bed.claim(document);

      OperationView unclear = ended(lease, UNCLEAR);

      assertThat(unclear.state()).isEqualTo(OperationState.UNKNOWN);
      assertThat(unclear.leaseRest()).isZero();
      document().isNotReleased().hasObservations("timed_out demoted");
      assertThat(bed.stored(document).observations().getFirst().get("reason"))
          .isEqualTo("timed_out");
      countsItsOpenAttempts(1);
      assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Granted.class);
      countsItsOpenAttempts(2);
    }

    @Test
    void an_unclear_end_of_a_preempted_holder_leaves_the_rival_alone() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      Lease rival = bed.claim(document);

      assertThat(ended(former, UNCLEAR).state()).isEqualTo(OperationState.IN_PROGRESS);
      document().wasLastClaimedBy(rival).hasObservations("timed_out recorded");
      countsItsOpenAttempts(2);
    }

    @Test
    void an_unclear_end_of_a_preempted_holder_demotes_a_rival_that_is_over() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      bed.claim(document);
      bed.letLeasesRunOut();

      assertThat(ended(former, UNCLEAR).state()).isEqualTo(OperationState.UNKNOWN);
      countsItsOpenAttempts(2);
    }
  }
}
