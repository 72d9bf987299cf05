package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who only looks after an operation does all that a claim would, and takes nothing. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttendTest {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final AttemptEnd UNCLEAR = new AttemptEnd.Unclear("timed_out");

  private final EmbeddedLedger embedded;
  private final SettlementBed bed;
  private final JooqLedger ledger;
  private final Asking keyed = Asking.about("attended-" + KEYS.incrementAndGet());
  private final Asking verifiable = keyed.under(new OpenAttemptRule.AskFirst());
  private final Asking opaque = keyed.under(new OpenAttemptRule.ParkWhileOpen());

  AttendTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.bed = new SettlementBed(embedded);
    this.ledger = bed.jooq;
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  private StoredOperation stored() {
    return bed.stored(keyed.reservation());
  }

  private LedgerAssert assertStored() {
    return LedgerAssert.assertThat(stored());
  }

  private Lease died(Asking asking) {
    Lease lease = asking.dispatched(ledger);
    bed.pass(Asking.LEASE);
    return lease;
  }

  private static void settlesLate(JooqLedger ledger, Lease lease, String effect) {
    assertThat(ledger.settle(lease, SettlementBed.response(effect), Asking.RESULT))
        .isInstanceOfAny(SettleOutcome.Preempted.class, SettleOutcome.LeaseExpired.class);
  }

  private void changesNothing(Asking asking) {
    StoredOperation before = stored();
    ledger.attend(asking.attendance());
    assertStored().isUntouchedSince(before);
  }

  @Test
  void what_nobody_claimed_is_absent() {
    assertThat(ledger.attend(keyed.attendance())).isEmpty();

    assertStored().isAbsent();
  }

  @Test // H1
  void what_a_dead_rival_saw_becomes_the_receipt_though_nobody_parked_it() {
    Lease first = died(keyed);
    Lease second = died(keyed);
    settlesLate(ledger, first, "effect");

    OperationView view = keyed.attended(ledger);

    assertThat(view.state()).isEqualTo(OperationState.COMPLETED);
    assertThat(view.receiptClaim()).isEqualTo(first.claimId());
    assertThat(view.claimOrigin())
        .isEqualTo(new AttemptOrigin("default", "workflow", "run", null, 0));
    assertThat(view.token().value()).isGreaterThan(second.token().value());
    assertStored().hasReceipts(1).hasOpenAttempts(1).hasPendingEvidence(0).isReleased();
    assertThat(keyed.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test // H4
  void evidence_comes_before_parked() {
    Lease lease = died(opaque);
    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Parked.class);
    settlesLate(ledger, lease, "effect");

    assertThat(opaque.attended(ledger).state()).isEqualTo(OperationState.COMPLETED);

    assertStored().hasOpenAttempts(0).has(OPERATION.ATTENTION_AT, null);
  }

  @Test
  void two_effects_that_were_stored_are_a_conflict() {
    Lease first = died(keyed);
    Lease second = died(keyed);
    settlesLate(ledger, first, "effect-1");
    settlesLate(ledger, second, "effect-2");

    assertThat(keyed.attended(ledger).state()).isEqualTo(OperationState.CONFLICT);

    assertStored().hasReceipts(0);
  }

  @Test
  void a_lease_that_is_over_is_demoted_once() {
    Lease lease = died(verifiable);

    OperationView view = verifiable.attended(ledger);

    assertThat(view.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(view.parkedReason()).isNull();
    assertStored()
        .wasLastClaimedBy(lease)
        .hasOpenAttempts(1)
        .hasObservations("lease_expired demoted");
    changesNothing(verifiable);
    assertThat(verifiable.claim(ledger)).isInstanceOf(Claim.Reconcile.class);
  }

  @Test
  void the_success_of_a_demoted_holder_is_picked_up() {
    Lease lease = died(verifiable);
    verifiable.attended(ledger);

    settlesLate(ledger, lease, "effect");

    assertThat(verifiable.attended(ledger).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void an_opaque_attempt_whose_holder_died_is_parked_and_listed() {
    died(opaque);

    OperationView view = opaque.attended(ledger);

    assertThat(view.parkedReason()).isEqualTo("open_attempt");
    assertStored().isParkedFor("open_attempt").hasObservations("lease_expired demoted");
    assertThat(ledger.acts().list(AwaitingQuery.all()))
        .extracting(AwaitingOperation::operation)
        .contains(opaque.reservation().operation());
    changesNothing(opaque);
  }

  @Test
  void a_key_past_its_horizon_is_parked_where_nothing_can_ask() {
    ledger.end(keyed.dispatched(ledger), UNCLEAR);
    changesNothing(keyed);
    bed.pass(Asking.KEY_HORIZON);

    assertThat(keyed.attended(ledger).parkedReason()).isEqualTo("key_horizon");
  }

  @Test
  void what_the_upstream_can_be_asked_about_is_left_to_who_asks() {
    ledger.end(verifiable.dispatched(ledger), UNCLEAR);

    changesNothing(verifiable);
  }

  @Test
  void a_live_lease_is_left_alone_though_a_success_is_stored() {
    Lease first = died(keyed);
    keyed.dispatched(ledger);
    settlesLate(ledger, first, "effect");

    changesNothing(keyed);
    changesNothing(opaque);

    assertStored().isInState(OperationState.IN_PROGRESS).hasPendingEvidence(1);
  }

  @Test
  void what_is_settled_is_only_read() {
    ledger.release(keyed.committed(ledger).permit());

    changesNothing(opaque);

    OperationView view = keyed.attended(ledger);
    assertThat(view.result()).isEqualTo(Asking.RESULT);
  }

  @Test
  void what_a_holder_saw_is_picked_up_though_its_binding_was_rotated() {
    BindingName mandate = new BindingName("attended-" + keyed.reservation().operation().key());
    ClaimRequest bound = keyed.request().boundTo(mandate);
    Lease lease = ((Claim.Granted) ledger.claim(bound)).lease().dispatch();
    bed.pass(Asking.LEASE);
    RotateOutcome rotated =
        ledger
            .acts()
            .rotate(
                new Rotation(
                    ActId.random(),
                    keyed.reservation().scope(),
                    mandate,
                    keyed.reservation().generation(),
                    "ann",
                    "renewed",
                    false));
    assertThat(rotated).isInstanceOf(RotateOutcome.Rotated.class);
    settlesLate(ledger, lease, "effect");
    assertThat(ledger.claim(keyed.request().boundTo(mandate))).isInstanceOf(Claim.Superseded.class);

    assertThat(keyed.attended(ledger).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void another_tuple_is_only_read() {
    died(opaque);

    for (Asking other : List.of(opaque.withFingerprintOf("other"), opaque.inGeneration(9))) {
      changesNothing(other);
      assertThat(other.attended(ledger).reservation()).isEqualTo(opaque.reservation());
    }
  }

  @Test
  void on_a_resource_that_another_holds_evidence_waits() {
    ResourceId room = ResourceId.shared("attended-room");
    Asking first = Asking.about("attended-in-room", room);
    Lease late = first.dispatched(ledger);
    embedded.sql().execute("update resource set expires_at = ledger_clock()");
    Lease next = Asking.about("attended-next", room).dispatched(ledger);
    settlesLate(ledger, late, "effect");

    first.attended(ledger);
    assertThat(bed.stored(first.reservation()).get(OPERATION.PENDING_EVIDENCE)).isEqualTo(1);

    ledger.release(Asking.committed(ledger, next).permit());
    assertThat(first.attended(ledger).state()).isEqualTo(OperationState.COMPLETED);
    assertThat(Asking.about("attended-third", room).claim(ledger))
        .isInstanceOf(Claim.Granted.class);
  }
}
