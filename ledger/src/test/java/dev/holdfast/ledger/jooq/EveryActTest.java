package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds whatever a person decides. */
class EveryActTest extends ActBed {
  EveryActTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  static List<Decision> decisions() {
    return List.of(happened("effect-1"), didNotHappenWhateverMayLand(), failed());
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void a_live_lease_is_held(Decision decision) {
    bed.claim(document);
    StoredOperation before = bed.stored(document);

    assertThat(resolve(decision))
        .isInstanceOfSatisfying(
            ActOutcome.Held.class, held -> assertThat(held.retryAfter()).isPositive());
    document().isUntouchedSince(before);
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void the_former_holder_is_preempted_by_every_act(Decision decision) {
    Lease lost = bed.claimBriefly(document);
    passTheHorizon();
    done(resolve(decision));

    assertThat(bed.jooq.renew(List.of(lost), SettlementBed.LEASE)).isEmpty();
    assertThat(bed.jooq.settle(lost, response("effect-1"), result("late")))
        .isNotInstanceOf(SettleOutcome.Committed.class);
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void the_former_attempt_keeps_its_own_token(Decision decision) {
    Lease lost = bed.claimBriefly(document);
    passTheHorizon();
    done(resolve(decision));

    OperationStory.Attempt former = story().attempts().getFirst();
    assertThat(former.claimId()).isEqualTo(lost.claimId());
    assertThat(former.token()).isEqualTo(lost.token());
    assertThat(former.open()).isFalse();
    OperationStory.Attempt own = story().attempts().getLast();
    assertThat(own.worker().value()).isEqualTo("operator:ann");
    assertThat(own.open()).isFalse();
    assertThat(own.token().value()).isGreaterThan(lost.token().value());
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void a_dry_run_says_the_same_and_changes_nothing(Decision decision) {
    bed.claimBriefly(document);
    passTheHorizon();
    StoredOperation before = bed.stored(document);
    Object number = ledger.sql().fetchValue("select last_value from receipt_numbers");

    ActOutcome told = acts.resolve(terms(document, null, true), decision);

    assertThat(bed.stored(document)).isEqualTo(before);
    assertThat(story().acts()).isEmpty();
    assertThat(ledger.sql().fetchValue("select last_value from receipt_numbers")).isEqualTo(number);
    ActOutcome.Done dry = done(told);
    ActOutcome.Done real = done(resolve(decision));
    assertThat(dry.dryRun()).isTrue();
    assertThat(real.dryRun()).isFalse();
    assertThat(dry).usingRecursiveComparison().ignoringFields("dryRun").isEqualTo(real);
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void what_moved_since_the_person_looked_is_left_alone(Decision decision) {
    bed.claimBriefly(document);
    Revision seen = revision();
    bed.claimBriefly(document);
    passTheHorizon();

    assertThat(acts.resolve(terms(document, seen, false), decision))
        .isInstanceOfSatisfying(
            ActOutcome.Moved.class,
            moved -> assertThat(moved.now().revision()).isEqualTo(revision()));
    assertThat(story().acts()).isEmpty();
  }

  @Test
  void what_nobody_claimed_is_absent() {
    assertThat(resolve(didNotHappen())).isEqualTo(new ActOutcome.Absent());
  }

  @Test
  void it_names_the_workflows_of_every_open_attempt_once() {
    claimedBy("workflow-1", "run-1");
    claimedBy("workflow-2", "run-2");
    claimedBy("workflow-1", "run-1");
    claimedBy("workflow-1", "run-3");
    passTheHorizon();

    assertThat(done(resolve(didNotHappen())).waiting())
        .containsExactly(
            new ActOutcome.Waiter("default", "workflow-1", "run-1"),
            new ActOutcome.Waiter("default", "workflow-2", "run-2"),
            new ActOutcome.Waiter("default", "workflow-1", "run-3"));
  }

  private void claimedBy(String workflow, String run) {
    ClaimRequest request = request(document);
    Lease lease =
        bed.claim(
            new ClaimRequest(
                request.reservation(),
                request.claimId(),
                request.worker(),
                new AttemptOrigin("default", workflow, run, "activity-1", 1),
                request.leaseFor(),
                request.dispatchWithin(),
                request.inFlight(),
                request.margin(),
                request.rule(),
                request.policy(),
                request.gates()));
    assertThat(end(lease, UNCLEAR)).isInstanceOf(EndOutcome.Recorded.class);
  }

  @Test
  void on_a_shared_resource_in_use_no_receipt_is_written() {
    ResourceId printer = ResourceId.shared("printer " + document.operation().key());
    Reservation mine = Rows.reservation(document.operation().key(), printer);
    bed.claim(mine);
    bed.letLeasesRunOut();
    Lease rival = bed.claim(Rows.reservation(fresh().operation().key(), printer));

    assertThat(resolve(happened("effect-1")))
        .isInstanceOfSatisfying(
            ActOutcome.Held.class, held -> assertThat(held.retryAfter()).isPositive());

    bed.jooq.settle(rival, response("rival"), result("rival"));
    bed.letLeasesRunOut();
    done(resolve(happened("effect-1")));
    Lease next = bed.claim(Rows.reservation(fresh().operation().key(), printer));
    assertThat(next.token().value()).isGreaterThan(rival.token().value() + 1);
  }

  @Test
  void on_a_shared_resource_in_use_what_did_not_happen_may_be_said() {
    ResourceId printer = ResourceId.shared("printer " + document.operation().key());
    Reservation mine = Rows.reservation(document.operation().key(), printer);
    bed.claimBriefly(mine);
    passTheHorizon();
    Lease rival = bed.claim(Rows.reservation(fresh().operation().key(), printer));

    done(resolve(didNotHappen()));

    assertThat(bed.jooq.settle(rival, response("rival"), result("rival")))
        .isInstanceOf(SettleOutcome.Committed.class);
    bed.letLeasesRunOut();
    assertThat(bed.claim(mine).token().value()).isGreaterThan(rival.token().value());
  }
}
