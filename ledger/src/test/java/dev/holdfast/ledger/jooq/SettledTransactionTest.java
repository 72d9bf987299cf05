package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.StoredOperation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rows of the resolver for what is unknown, settled or in conflict, on a real ledger. */
class SettledTransactionTest extends ResolverBed {
  SettledTransactionTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Nested
  class Unknown {
    @Test
    void a_success_of_its_last_holder_is_stored() {
      Lease lease = bed.claim(document);
      end(lease, UNCLEAR);

      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
      document()
          .isInState(OperationState.UNKNOWN)
          .hasPendingEvidence(1)
          .hasObservations("timed_out demoted", "succeeded pending");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_failure_of_its_last_holder_closes_its_attempt() {
      Lease lease = bed.claim(document);
      end(lease, UNCLEAR);

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.UNKNOWN);
      countsItsOpenAttempts(0);
    }

    @Test
    void closing_the_last_open_attempt_takes_it_out_of_the_parking_lot() {
      Lease lease = bed.claim(document);
      end(lease, UNCLEAR);
      park(document);

      assertThat(ended(lease, REFUSED).parkedReason()).isNull();
      document().has(OPERATION.PARKED_REASON, null).has(OPERATION.ATTENTION_AT, null);
    }

    @Test
    void closing_one_attempt_of_two_leaves_it_parked() {
      bed.claim(document);
      bed.letLeasesRunOut();
      Lease lease = bed.claim(document);
      end(lease, UNCLEAR);
      park(document);

      assertThat(ended(lease, REFUSED).parkedReason()).isEqualTo("open_attempt");
      countsItsOpenAttempts(1);
    }
  }

  @Nested
  class Completed {
    @Test
    void the_same_effect_again_is_recorded_whatever_its_digest() {
      Lease former = complete("effect-1");

      SettleOutcome outcome =
          bed.slow.settle(former, response("effect-1", "another body"), result("later"));

      assertThat(settledBy(outcome).result()).isEqualTo(result("effect-1"));
      document()
          .isCompletedWith(response("effect-1").digest())
          .hasReceipts(1)
          .hasObservations("succeeded recorded");
      countsItsOpenAttempts(0);
    }

    @Test
    void another_effect_is_a_conflict_and_the_receipt_stays() {
      Lease former = complete("effect-1");

      OperationView view = settledBy(settle(former, "effect-2"));

      assertThat(view.state()).isEqualTo(OperationState.CONFLICT);
      assertThat(view.completion()).isNotNull();
      document()
          .isInState(OperationState.CONFLICT)
          .hasReceipts(1)
          .hasObservations("succeeded conflicted");
      assertThat(bed.stored(document).get(OPERATION.ATTENTION_AT)).isNotNull();
      countsItsOpenAttempts(0);
    }

    @Test
    void another_effect_changes_nothing_where_the_first_commit_wins() {
      Lease former = bed.claim(request(document, FIRST_WINS));
      bed.letLeasesRunOut();
      settle(bed.claim(document), "effect-1");

      assertThat(settledBy(settle(former, "effect-2")).state()).isEqualTo(OperationState.COMPLETED);
      document().hasObservations("succeeded recorded");
    }

    @Test
    void a_failure_of_the_very_attempt_that_was_settled_is_a_conflict() {
      Lease lease = bed.claim(document);
      settle(lease, "effect-1");

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.CONFLICT);
      document().hasObservations("failed conflicted");
    }

    @Test
    void a_failure_of_the_attempt_whose_evidence_was_picked_up_is_a_conflict() {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      settle(former, "effect-1");
      bed.jooq.claim(request(document));

      assertThat(ended(former, FAILED).state()).isEqualTo(OperationState.CONFLICT);
    }

    @Test
    void a_failure_of_the_settled_attempt_changes_nothing_where_the_first_commit_wins() {
      Lease lease = bed.claim(request(document, FIRST_WINS));
      settle(lease, "effect-1");

      assertThat(ended(lease, FAILED).state()).isEqualTo(OperationState.COMPLETED);
    }

    @Test
    void a_failure_of_another_attempt_is_recorded_and_closes_it() {
      Lease former = complete("effect-1");

      assertThat(ended(former, FAILED).state()).isEqualTo(OperationState.COMPLETED);
      document().hasObservations("failed recorded");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_refusal_or_a_time_out_is_recorded() {
      Lease former = complete("effect-1");

      end(former, UNCLEAR);
      countsItsOpenAttempts(1);
      end(former, REFUSED);

      document()
          .isInState(OperationState.COMPLETED)
          .hasObservations("timed_out recorded", "refused recorded");
      countsItsOpenAttempts(0);
    }

    private Lease complete(String effect) {
      Lease former = bed.claim(document);
      bed.letLeasesRunOut();
      assertThat(settle(bed.claim(document), effect)).isInstanceOf(SettleOutcome.Committed.class);
      return former;
    }
  }

  @Nested
  class Failed {
    @Test
    void a_success_is_a_conflict_without_a_receipt() {
      Lease former = failAfter(request(document));

      assertThat(settledBy(settle(former, "effect-1")).state()).isEqualTo(OperationState.CONFLICT);
      document().hasReceipts(0).hasObservations("failed failure", "succeeded conflicted");
      countsItsOpenAttempts(0);
    }

    @Test
    void a_success_changes_nothing_where_the_first_commit_wins() {
      Lease former = failAfter(request(document, FIRST_WINS));

      assertThat(settledBy(settle(former, "effect-1")).state()).isEqualTo(OperationState.FAILED);
      document().hasObservations("failed failure", "succeeded recorded");
    }

    @Test
    void a_failure_a_refusal_and_a_time_out_are_recorded() {
      Lease former = failAfter(request(document));

      end(former, UNCLEAR);
      end(former, REFUSED);
      end(former, FAILED);

      document()
          .isInState(OperationState.FAILED)
          .hasObservations(
              "failed failure", "timed_out recorded", "refused recorded", "failed recorded");
      countsItsOpenAttempts(0);
    }

    /** The former attempt is past its horizon when the failing one is sent, and open. */
    private Lease failAfter(dev.holdfast.ledger.ClaimRequest first) {
      Lease former = bed.claim(first);
      bed.pass(SettlementBed.LEASE.multipliedBy(3));
      assertThat(ended(bed.claim(document), FAILED).state()).isEqualTo(OperationState.FAILED);
      return former;
    }
  }

  @Nested
  class Conflict {
    @Test
    void anything_is_recorded_and_nothing_changes() {
      Lease first = bed.claim(document);
      bed.letLeasesRunOut();
      Lease second = bed.claim(document);
      bed.letLeasesRunOut();
      settle(bed.claim(document), "effect-3");
      settle(second, "effect-2");

      assertThat(settledBy(settle(first, "effect-1")).state()).isEqualTo(OperationState.CONFLICT);
      assertThat(ended(first, FAILED).state()).isEqualTo(OperationState.CONFLICT);
      document()
          .hasReceipts(1)
          .hasPendingEvidence(0)
          .hasObservations("succeeded conflicted", "succeeded recorded", "failed recorded");
      countsItsOpenAttempts(0);
    }
  }

  @Nested
  class Another_tuple {
    @Test
    void a_success_of_the_old_generation_is_set_aside_and_its_attempt_stays_open() {
      Lease lease = bed.claim(document);
      rebind(document);
      StoredOperation before = bed.stored(document);

      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.Quarantined.class);
      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.Quarantined.class);
      assertThat(end(lease, FAILED)).isInstanceOf(EndOutcome.Quarantined.class);
      document()
          .isUntouchedSince(before)
          .hasObservations("succeeded quarantined", "failed quarantined");
    }

    @Test
    void evidence_of_a_claim_that_the_ledger_does_not_know_is_attached_to_nothing() {
      Lease lease = bed.claim(document);
      Reservation other = fresh();
      Lease elsewhere = bed.claim(other);
      StoredOperation before = bed.stored(document);

      Lease foreign = bed.leaseOf(request(document), elsewhere);

      assertThat(settle(foreign, "effect-1")).isInstanceOf(SettleOutcome.Quarantined.class);
      document().isUntouchedSince(before).hasObservations().wasLastClaimedBy(lease);
    }
  }

  @Nested
  class Sent_again {
    @Test
    void a_committed_success_finds_its_own_receipt() {
      Lease lease = bed.claim(document);
      settle(lease, "effect-1");
      StoredOperation before = bed.stored(document);

      assertThat(settledBy(settle(lease, "effect-1")).receiptClaim()).isEqualTo(lease.claimId());
      document().isUntouchedSince(before).hasReceipts(1).hasObservations();
    }

    @Test
    void pending_evidence_is_stored_and_counted_once() {
      Lease lease = bed.claim(document);
      bed.letLeasesRunOut();
      settle(lease, "effect-1");
      StoredOperation before = bed.stored(document);

      assertThat(settle(lease, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
      document().isUntouchedSince(before).hasPendingEvidence(1);
    }

    @Test
    void every_end_is_stored_once() {
      for (AttemptEnd end : new AttemptEnd[] {FAILED, REFUSED, UNCLEAR}) {
        Reservation operation = fresh();
        Lease lease = bed.claim(operation);
        OperationView first = ended(lease, end);
        StoredOperation before = bed.stored(operation);

        assertThat(ended(lease, end).state()).isEqualTo(first.state());
        LedgerAssert.assertThat(bed.stored(operation)).isUntouchedSince(before);
        assertThat(bed.stored(operation).observations()).hasSize(1);
      }
    }

    @Test
    void two_different_successes_of_one_claim_are_both_kept() {
      Lease lease = bed.claim(document);
      bed.letLeasesRunOut();
      settle(lease, "effect-1");
      settle(lease, "effect-2");

      document().hasPendingEvidence(2);
      countsItsOpenAttempts(0);
    }
  }
}
