package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One attempt reports a success and a definite failure: in either order both are heard. */
class BothAnswersStoredTest extends ActBed {
  BothAnswersStoredTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void evidence_that_is_picked_up_hears_of_the_failure_of_its_own_attempt(boolean failedFirst) {
    Lease first = bed.claimBriefly(document);
    if (failedFirst) {
      end(first, FAILED);
      settle(first, "effect-1");
    } else {
      settle(first, "effect-1");
      end(first, FAILED);
    }
    document().hasPendingEvidence(1);

    assertThat(claim()).isEqualTo(new Claim.Conflicted());

    document().isInState(OperationState.CONFLICT).hasReceipts(0).hasPendingEvidence(0);
    countsItsOpenAttempts(0);
  }

  @Test
  void so_does_a_holder_that_saw_the_same_effect() {
    Lease first = bed.claimBriefly(document);
    Lease second = bed.claim(document);
    end(first, FAILED);
    settle(first, "effect-1");

    assertThat(settledBy(settle(second, "effect-1")).state()).isEqualTo(OperationState.CONFLICT);

    document().hasReceipts(0).hasPendingEvidence(0);
    countsItsOpenAttempts(0);
  }

  @Test
  void where_the_first_commit_wins_the_evidence_completes() {
    Lease first = bed.claim(request(document, FIRST_WINS));
    bed.letLeasesRunOut();
    end(first, FAILED);
    settle(first, "effect-1");

    assertThat(bed.jooq.claim(request(document, FIRST_WINS))).isInstanceOf(Claim.Replay.class);

    document().isInState(OperationState.COMPLETED).hasReceipts(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_second_witness_that_failed_too_is_heard_after_the_completion(boolean failedFirst) {
    Lease first = bed.claimBriefly(document);
    Lease second = bed.claim(document);
    assertThat(settle(second, "effect-1")).isInstanceOf(SettleOutcome.Committed.class);
    if (failedFirst) {
      end(first, FAILED);
      settle(first, "effect-1");
    } else {
      settle(first, "effect-1");
      end(first, FAILED);
    }

    document().isInState(OperationState.CONFLICT).hasReceipts(1);
    countsItsOpenAttempts(0);
  }

  @Test
  void what_a_person_decided_is_not_undone_by_either_report_sent_again() {
    Lease first = bed.claimBriefly(document);
    end(first, FAILED);
    settle(first, "effect-1");
    assertThat(claim()).isEqualTo(new Claim.Conflicted());
    done(resolve(happened("effect-1", first.claimId())));

    settle(first, "effect-1");
    end(first, FAILED);

    document().isInState(OperationState.COMPLETED);
  }

  @Test
  void nor_by_the_success_that_the_person_had_taken_for_true() {
    Lease first = bed.claimBriefly(document);
    end(first, FAILED);
    Lease second = bed.claim(document);
    end(second, UNCLEAR);
    park(document);
    done(resolve(happened("effect-1", first.claimId())));

    settle(first, "effect-1");
    document().isInState(OperationState.COMPLETED);

    end(second, FAILED);
    document().isInState(OperationState.COMPLETED);
  }

  /** The limit, and how it ends. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void two_definite_failures_are_final_at_once_or_after_one_more_attempt(boolean preemptedFirst) {
    Lease first = bed.claimBriefly(document);
    Lease second = bed.claim(document);
    end(preemptedFirst ? first : second, FAILED);
    end(preemptedFirst ? second : first, FAILED);
    document().isInState(preemptedFirst ? OperationState.FAILED : OperationState.UNKNOWN);
    countsItsOpenAttempts(0);

    if (!preemptedFirst) {
      end(bed.claim(document), FAILED);
    }

    document().isInState(OperationState.FAILED).hasReceipts(0);
  }
}
