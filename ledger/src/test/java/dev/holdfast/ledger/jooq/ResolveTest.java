package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person decides about an operation of unknown outcome. */
class ResolveTest extends ActBed {
  ResolveTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  // happened

  @Test
  void happened_gives_a_receipt_of_source_operator_and_the_next_claim_replays_it() {
    Lease lost = parked();

    ActOutcome.Done done = done(resolve(happened("effect-1")));

    assertThat(done.before().parkedReason()).isEqualTo("open_attempt");
    assertThat(done.after()).isEqualTo(OperationState.COMPLETED);
    assertThat(claim())
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> {
              assertThat(replay.result()).isEqualTo(result("as told"));
              assertThat(replay.completion().effect().value()).isEqualTo("effect-1");
            });
    document().isCompletedWith(SHOWN).isReleased().hasReceipts(1);
    countsItsOpenAttempts(0);
    assertThat(story().receipts())
        .singleElement()
        .satisfies(
            proof -> {
              assertThat(proof.source()).isEqualTo("operator");
              assertThat(proof.attempt()).isEqualTo(lost.claimId());
            });
  }

  @Test
  void without_an_effect_named_it_is_the_only_open_attempts_own() {
    Lease lost = parked();

    done(resolve(happened(null)));

    document().has(OPERATION.EFFECT_ID, lost.claimId().toString());
  }

  @Test
  void a_late_witness_of_the_same_effect_changes_nothing() {
    Lease lost = parked();
    done(resolve(happened("effect-1")));

    assertThat(settledBy(settle(lost, "effect-1")).state()).isEqualTo(OperationState.COMPLETED);

    document().isCompletedWith(SHOWN).hasReceipts(1);
  }

  // H8
  @Test
  void a_late_witness_of_another_effect_is_a_conflict() {
    Lease lost = parked();
    done(resolve(happened("effect-1")));

    assertThat(settledBy(settle(lost, "effect-2")).state()).isEqualTo(OperationState.CONFLICT);
  }

  @Test
  void a_stored_witness_is_heard_before_the_person() {
    Lease lost = bed.claimBriefly(document);
    settle(lost, "effect-1");
    document().hasPendingEvidence(1);

    assertThat(done(resolve(happened("effect-1"))).after()).isEqualTo(OperationState.COMPLETED);

    document().isCompletedWith(response("effect-1").digest()).hasPendingEvidence(0);
    assertThat(story().receipts().getFirst().source()).isEqualTo("witnessed");
    assertThat(story().observations().getLast())
        .satisfies(
            seen -> {
              assertThat(seen.observer()).isEqualTo("operator");
              assertThat(seen.disposition()).isEqualTo("recorded");
            });
    countsItsOpenAttempts(0);
  }

  @Test
  void a_stored_witness_of_another_effect_is_a_conflict_whatever_the_person_says() {
    settle(bed.claimBriefly(document), "effect-1");

    assertThat(done(resolve(happened("effect-2"))).after()).isEqualTo(OperationState.CONFLICT);

    document().isInState(OperationState.CONFLICT).hasReceipts(0);
    countsItsOpenAttempts(0);
  }

  @Test
  void of_several_open_attempts_the_person_names_one_or_the_effect() {
    Lease first = bed.claimBriefly(document);
    Lease second = bed.claimBriefly(document);
    end(second, UNCLEAR);
    park(document);

    assertThat(resolve(happened(null))).isInstanceOf(ActOutcome.NotApplicable.class);
    assertThat(resolve(happened(null, ClaimId.random())))
        .isInstanceOf(ActOutcome.NotApplicable.class);

    done(resolve(happened(null, first.claimId())));

    document().has(OPERATION.EFFECT_ID, first.claimId().toString());
    countsItsOpenAttempts(1);
    assertThat(story().attempts().get(1).claimId()).isEqualTo(second.claimId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"key_horizon", "not_final", "other_tag"})
  void where_a_witness_may_name_a_key_or_an_id_the_person_names_it(String reason) {
    parked();
    ledger
        .sql()
        .update(OPERATION)
        .set(OPERATION.PARKED_REASON, reason)
        .where(OPERATION.OPERATION_ID.eq(document.operation().text()))
        .execute();

    assertThat(resolve(happened(null)))
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class, no -> assertThat(no.cure()).contains("key"));
    assertThat(done(resolve(happened("hf1-key"))).after()).isEqualTo(OperationState.COMPLETED);
  }

  /** A made-up name would make a conflict of the only effect there is (H8). */
  @Test
  void of_what_is_not_parked_no_effect_is_made_up() {
    Lease lost = bed.claimBriefly(document);

    assertThat(resolve(happened(null, lost.claimId())))
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class, no -> assertThat(no.cure()).contains("claim id"));
    done(resolve(happened("hf1-key", lost.claimId())));

    settle(lost, "hf1-key");
    document().isInState(OperationState.COMPLETED);
  }

  // did not happen

  // H22
  @Test
  void did_not_happen_is_refused_before_the_last_horizon() {
    bed.claimBriefly(document);
    bed.pass(Duration.ofSeconds(40));
    bed.claimBriefly(document);
    bed.pass(Duration.ofSeconds(40));
    StoredOperation before = bed.stored(document);

    assertThat(resolve(didNotHappen()))
        .isInstanceOfSatisfying(
            ActOutcome.TooEarly.class,
            early -> {
              assertThat(early.left()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
              assertThat(early.horizon()).isEqualTo(story().attempts().getLast().horizon());
            });
    document().isUntouchedSince(before);

    bed.pass(Duration.ofSeconds(31));
    done(resolve(didNotHappen()));
    assertThat(story().acts().getFirst().forced()).isFalse();
  }

  @Test
  void did_not_happen_before_the_horizon_is_forced_on_the_record() {
    parked();

    done(resolve(didNotHappenWhateverMayLand()));

    assertThat(story().acts())
        .singleElement()
        .satisfies(
            act -> {
              assertThat(act.verb()).isEqualTo("resolve");
              assertThat(act.decision()).isEqualTo("did_not_happen");
              assertThat(act.forced()).isTrue();
              assertThat(act.actor()).isEqualTo("ann");
              assertThat(act.reason()).isEqualTo("the upstream was asked by phone");
              assertThat(act.revision()).isEqualTo(revision());
            });
  }

  @Test
  void a_force_that_was_not_needed_is_none() {
    parked();
    passTheHorizon();

    done(resolve(didNotHappenWhateverMayLand()));

    assertThat(story().acts().getFirst().forced()).isFalse();
  }

  // H1
  @Test
  void did_not_happen_is_never_said_over_stored_evidence() {
    settle(bed.claimBriefly(document), "effect-1");
    passTheHorizon();

    assertThat(resolve(didNotHappenWhateverMayLand())).isEqualTo(new ActOutcome.EvidenceWaits(1));
    assertThat(acts.resolve(terms(document), new Decision.Failed(NO_SUCH, true)))
        .isEqualTo(new ActOutcome.EvidenceWaits(1));
    document().hasPendingEvidence(1);
  }

  @Test
  void afterwards_one_dispatch_is_granted_under_a_higher_token() {
    Lease lost = parked();
    passTheHorizon();
    done(resolve(didNotHappen()));

    document().isInState(OperationState.UNKNOWN).has(OPERATION.PARKED_REASON, null);
    countsItsOpenAttempts(0);
    assertThat(acts.list(AwaitingQuery.all()))
        .noneMatch(waiting -> waiting.operation().equals(document.operation()));
    Lease next = bed.claim(document);
    assertThat(next.token().value()).isGreaterThan(lost.token().value() + 1);
    assertThat(next.epoch()).isEqualTo(lost.epoch());
    countsItsOpenAttempts(1);
  }

  // H1: its trace ends in conflict
  @Test
  void what_landed_all_the_same_is_a_conflict_with_the_next_effect() {
    Lease lost = parked();
    done(resolve(didNotHappenWhateverMayLand()));
    Lease next = bed.claim(document);
    assertThat(bed.jooq.settle(next, response("effect-2"), result("second")))
        .isInstanceOf(SettleOutcome.Committed.class);

    assertThat(settledBy(settle(lost, "effect-1")).state()).isEqualTo(OperationState.CONFLICT);
  }

  @Test
  void where_no_attempt_is_open_there_is_nothing_to_say() {
    end(bed.claim(document), REFUSED);

    assertThat(resolve(didNotHappen()))
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class,
            no -> assertThat(no.state()).isEqualTo(OperationState.UNKNOWN));
  }

  // failed for good

  @Test
  void what_shall_not_be_tried_again_is_failed_for_good() {
    parked();
    passTheHorizon();

    assertThat(done(resolve(failed())).after()).isEqualTo(OperationState.FAILED);

    assertThat(claim()).isEqualTo(new Claim.AlreadyFailed(NO_SUCH));
    countsItsOpenAttempts(0);
  }

  @Test
  void nor_is_it_failed_before_the_horizon() {
    parked();

    assertThat(resolve(failed())).isInstanceOf(ActOutcome.TooEarly.class);
    done(resolve(new Decision.Failed(NO_SUCH, true)));
    assertThat(story().acts().getFirst().forced()).isTrue();
  }
}
