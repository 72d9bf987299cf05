package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person moves an operation to the generation that its binding was rotated to. */
class RebindTest extends RebindBed {
  RebindTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Lease completed() {
    Lease lease = bed.claim(document);
    assertThat(bed.jooq.settle(lease, response("effect-1"), result("first")))
        .isInstanceOf(SettleOutcome.Committed.class);
    return lease;
  }

  private void refused(Mode mode, String cure) {
    StoredOperation before = bed.stored(document);
    assertThat(rebind(mode))
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class, no -> assertThat(no.cure()).contains(cure));
    document().isUntouchedSince(before);
    assertThat(story().changes()).isEmpty();
  }

  @Test
  void an_adopted_effect_is_replayed_to_the_newer_generation_under_a_receipt_of_its_own() {
    Lease lease = completed();
    Completion first = completion();

    ActOutcome.Done done = done(rebind(Mode.ADOPT));

    assertThat(done.after()).isEqualTo(OperationState.COMPLETED);
    assertThat(claimIn(0)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
    assertThat(claimIn(1))
        .isInstanceOfSatisfying(
            Claim.Replay.class, replay -> assertThat(replay.result()).isEqualTo(result("first")));
    OperationStory.Proof adopted = story().receipts().getLast();
    assertThat(adopted.source()).isEqualTo("adopted");
    assertThat(adopted.attempt()).isEqualTo(lease.claimId());
    assertThat(adopted.receipt().completion().generation()).isEqualTo(new Generation(1));
    assertThat(adopted.receipt().token().value()).isGreaterThan(lease.token().value());
    assertThat(
            ledger
                .sql()
                .fetchValue(
                    "select adopted_receipt from receipt where operation_id = ? and source ="
                        + " 'adopted'",
                    document.operation().text()))
        .isEqualTo(first.receipt().value());
  }

  @Test
  void the_gate_of_an_adopted_one_opens_to_the_new_reference_alone() {
    completed();
    Completion before = completion();
    Reservation share = fresh();
    bed.claim(SettlementBed.behind(share, before));

    assertThat(done(rebind(Mode.ADOPT)).dependents()).containsExactly(share.operation());

    assertThat(bed.jooq.claim(SettlementBed.behind(fresh(), before)))
        .isEqualTo(new Claim.GateClosed(document.operation(), Claim.GateReason.MISMATCH));
    assertThat(bed.jooq.claim(SettlementBed.behind(fresh(), completion())))
        .isInstanceOf(Claim.Granted.class);
  }

  @Test
  void what_failed_has_no_effect_to_adopt() {
    end(bed.claim(document), FAILED);

    refused(Mode.ADOPT, "re-execute");
  }

  @ParameterizedTest
  @EnumSource(names = {"ADOPT", "RE_EXECUTE"})
  void what_is_unknown_can_be_carried_alone(Mode mode) {
    bed.claimBriefly(document);

    refused(mode, "carry");
  }

  @Test
  void what_is_settled_cannot_be_carried() {
    completed();

    refused(Mode.CARRY, "adopt");
  }

  // H15
  @Test
  void re_executed_it_runs_again_in_a_new_epoch() {
    Lease first = completed();

    assertThat(done(rebind(Mode.RE_EXECUTE)).after()).isEqualTo(OperationState.UNKNOWN);

    assertThat(claimIn(0)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
    Lease again = ((Claim.Granted) claimIn(1)).lease().dispatch();
    assertThat(again.epoch().value()).isEqualTo(first.epoch().value() + 1);
    assertThat(again.token().value()).isGreaterThan(first.token().value() + 1);
    assertThat(bed.jooq.settle(again, response("effect-2"), result("second")))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @Test
  void what_failed_is_re_executed_too() {
    end(bed.claim(document), FAILED);

    done(rebind(Mode.RE_EXECUTE));

    assertThat(claimIn(1)).isInstanceOf(Claim.Granted.class);
  }

  // H13
  @Test
  void nothing_is_re_executed_beside_an_open_attempt_be_it_past_its_horizon() {
    bed.claimBriefly(document);
    passTheHorizon();
    completed();
    countsItsOpenAttempts(1);

    refused(Mode.RE_EXECUTE, "reopen");

    done(acts.reopen(terms(document), false));
    done(rebind(Mode.CARRY));
    assertThat(claimIn(1)).isInstanceOf(Claim.Granted.class);
  }

  @ParameterizedTest
  @EnumSource
  void a_live_lease_is_held(Mode mode) {
    bed.claim(document);
    StoredOperation before = bed.stored(document);

    assertThat(rebind(mode)).isInstanceOf(ActOutcome.Held.class);

    document().isUntouchedSince(before);
  }

  @ParameterizedTest
  @EnumSource
  void a_parked_one_is_resolved_first(Mode mode) {
    parked();

    refused(mode, "resolve");
  }

  @ParameterizedTest
  @EnumSource
  void so_is_a_conflict(Mode mode) {
    conflict("effect-2");

    refused(mode, "resolve");
  }

  @ParameterizedTest
  @EnumSource
  void evidence_that_waits_is_picked_up_first(Mode mode) {
    Lease late = bed.claimBriefly(document);
    settle(late, "effect-1");

    assertThat(rebind(mode)).isEqualTo(new ActOutcome.EvidenceWaits(1));
    assertThat(story().changes()).isEmpty();
  }

  @Test
  void a_receipt_is_adopted_once_its_shared_resource_is_free() {
    ResourceId printer = ResourceId.shared("printer " + document.operation().key());
    Reservation mine = Rows.reservation(document.operation().key(), printer);
    Lease lease = bed.claim(mine);
    bed.jooq.settle(lease, response("effect-1"), result("first"));
    bed.letLeasesRunOut();
    Lease rival = bed.claim(Rows.reservation(fresh().operation().key(), printer));

    assertThat(rebind(Mode.ADOPT)).isInstanceOf(ActOutcome.Held.class);

    bed.jooq.settle(rival, response("rival"), result("rival"));
    bed.letLeasesRunOut();
    done(rebind(Mode.ADOPT));
  }

  @Test
  void what_moved_since_the_person_looked_is_left_alone() {
    bed.claimBriefly(document);
    Rebind seen = order(Mode.CARRY);
    done(rebind(Mode.CARRY));

    assertThat(acts.rebind(terms(document), seen)).isInstanceOf(ActOutcome.Moved.class);
    assertThat(acts.rebind(terms(document, revision(), false), seen))
        .isInstanceOf(ActOutcome.Moved.class);
    assertThat(story().changes()).hasSize(1);
  }

  @Test
  void it_leads_to_a_higher_generation_only() {
    Tuple own = Tuple.of(in(document, 3), new Epoch(0));

    assertThatThrownBy(() -> new Rebind(Mode.CARRY, own, new Generation(3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rebind(Mode.CARRY, own, new Generation(2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_terms_and_the_tuple_name_one_operation() {
    bed.claimBriefly(document);

    assertThatThrownBy(() -> acts.rebind(terms(fresh()), order(Mode.CARRY)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void it_is_on_the_record_with_the_tuple_before() {
    completed();
    done(rebind(Mode.ADOPT));

    assertThat(story().acts())
        .singleElement()
        .satisfies(
            act -> {
              assertThat(act.verb()).isEqualTo("rebind");
              assertThat(act.actor()).isEqualTo("ann");
            });
    assertThat(story().changes())
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.act()).isEqualTo("adopt");
              assertThat(change.generation()).isEqualTo(new Generation(0));
            });
  }

  @ParameterizedTest
  @EnumSource(names = {"ADOPT", "RE_EXECUTE"})
  void a_dry_run_says_the_same_and_changes_nothing(Mode mode) {
    completed();
    StoredOperation before = bed.stored(document);

    ActOutcome.Done dry = done(rebind(terms(document, null, true), mode));

    assertThat(bed.stored(document)).isEqualTo(before);
    assertThat(story().acts()).isEmpty();
    ActOutcome.Done real = done(rebind(mode));
    assertThat(dry).usingRecursiveComparison().ignoringFields("dryRun").isEqualTo(real);
  }

  @ParameterizedTest
  @EnumSource(names = {"ADOPT", "RE_EXECUTE"})
  void the_same_act_again_is_the_same_answer_and_no_second_act(Mode mode) {
    completed();
    ActTerms terms = terms(document);
    Rebind order = order(mode);
    ActOutcome first = acts.rebind(terms, order);
    done(first);

    assertThat(acts.rebind(terms, order)).isEqualTo(first);
    assertThat(acts.rebind(terms, new Rebind(order.mode(), order.expected(), new Generation(9))))
        .isInstanceOf(ActOutcome.NotApplicable.class);
    assertThat(story().changes()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"ADOPT", "CARRY"})
  void the_former_holder_is_fenced_off(Mode mode) {
    Lease former = mode == Mode.ADOPT ? completed() : bed.claimBriefly(document);
    done(rebind(mode));

    assertThat(bed.jooq.renew(List.of(former), SettlementBed.LEASE)).isEmpty();
    assertThat(bed.jooq.settle(former, response("effect-9"), result("late")))
        .isInstanceOf(SettleOutcome.Quarantined.class);
  }
}
