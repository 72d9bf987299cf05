package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.TransactionalEffect;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which generation the evidence of a success must carry, by the rule of its operation. */
class LiveGenerationTest extends ResolverBed {
  private final BindingName mandate = new BindingName("of-" + document.operation().key());
  private final SettlementPolicy live = SettlementPolicy.STANDARD.underLive(mandate);

  LiveGenerationTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void under_the_live_rule_what_was_signed_under_the_rotated_binding_completes() {
    Lease lease = claimed(live);
    rotateTo(1);

    assertThat(bed.jooq.settle(lease, signed(1), result("done")))
        .isInstanceOfSatisfying(
            SettleOutcome.Committed.class,
            done -> {
              Completion completion = done.receipt().completion();
              assertThat(completion.generation()).isEqualTo(document.generation());
            });

    document().hasReceipts(1).hasObservations("succeeded recorded").hasOpenAttempts(0);
    assertThat(bed.stored(document).observations().getFirst().get(OBSERVATION.GENERATION))
        .as("as its upstream signed it")
        .isEqualTo(1);
    assertThat(bed.stored(document).observations().getFirst().get(OBSERVATION.REASON))
        .isEqualTo("live_generation");
  }

  @Test
  void under_the_reservations_rule_it_is_set_aside_and_blocks_no_match() {
    Lease lease = claimed(SettlementPolicy.STANDARD);
    rotateTo(1);

    assertThat(bed.jooq.settle(lease, signed(1), result("done")))
        .isEqualTo(new SettleOutcome.Quarantined());

    document().isInState(OperationState.IN_PROGRESS).hasObservations("succeeded quarantined");
    countsItsOpenAttempts(1);
    assertThat(bed.jooq.settle(lease, response("effect"), result("done")))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2})
  void under_the_live_rule_every_other_generation_is_set_aside(long other) {
    Lease lease = claimed(live);
    rotateTo(1);
    VerifiedResponse stale = other == 0 ? response("effect") : signed(other);

    assertThat(bed.jooq.settle(lease, stale, result("done")))
        .isEqualTo(new SettleOutcome.Quarantined());
    assertThat(bed.jooq.settle(lease, stale, result("done")))
        .isEqualTo(new SettleOutcome.Quarantined());

    document().hasReceipts(0).hasObservations("succeeded quarantined");
    countsItsOpenAttempts(1);
    assertThat(bed.jooq.settle(lease, signed(1), result("done")))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @Test
  void under_the_live_rule_a_success_of_before_any_rotation_is_committed() {
    assertThat(bed.jooq.settle(claimed(live), response("effect"), result("done")))
        .isInstanceOf(SettleOutcome.Committed.class);

    document().hasReceipts(1).hasObservations();
  }

  @Test
  void what_is_no_success_ends_the_attempt_under_either_rule() {
    Lease lease = claimed(live);
    rotateTo(1);

    assertThat(ended(lease, UNCLEAR).state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(ended(lease, REFUSED).openAttempts()).isZero();
  }

  @Test
  void evidence_of_a_holder_that_is_over_is_stored_once_and_picked_up() {
    Lease lease = claimed(live);
    rotateTo(1);
    bed.letLeasesRunOut();

    assertThat(bed.jooq.settle(lease, signed(1), result("done")))
        .isEqualTo(new SettleOutcome.LeaseExpired());
    assertThat(bed.jooq.settle(lease, signed(1), result("done")))
        .isEqualTo(new SettleOutcome.LeaseExpired());

    document().hasPendingEvidence(1).hasObservations("succeeded pending", "succeeded recorded");
    assertThat(attended().map(OperationView::state)).contains(OperationState.COMPLETED);
    document().hasReceipts(1);
    countsItsOpenAttempts(0);
  }

  @Test
  void a_reservation_that_a_person_moved_on_wants_its_own() {
    Lease lease = claimed(live);
    rebind(document);

    assertThat(bed.jooq.settle(lease, response("effect"), result("done")))
        .isEqualTo(new SettleOutcome.Quarantined());
  }

  @Test
  void in_the_ledgers_own_transaction_nothing_is_done_after_a_rotation() throws Exception {
    Lease lease = claimed(live);
    rotateTo(1);
    AtomicBoolean ran = new AtomicBoolean();

    assertThat(
            bed.jooq.settleInTransaction(
                lease,
                connection -> {
                  ran.set(true);
                  return new TransactionalEffect.Effected(response("effect"), result("done"));
                }))
        .isEqualTo(new SettleOutcome.Quarantined());

    assertThat(ran).isFalse();
    document().hasReceipts(0);
  }

  @Test
  void a_claim_and_its_evidence_name_one_binding() {
    ClaimRequest request = request(document, live);

    assertThatThrownBy(() -> request.boundTo(new BindingName("another")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("live generation");
  }

  @Test
  void what_comes_by_itself_names_no_binding() {
    Tuple tuple = Tuple.of(document, new Epoch(0));

    assertThatThrownBy(() -> new AttestedSuccess(tuple, signed(1), result("done"), live))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reservation");
  }

  private Lease claimed(SettlementPolicy policy) {
    return bed.claim(request(document, policy).boundTo(mandate));
  }

  private void rotateTo(long next) {
    assertThat(
            bed.jooq
                .acts()
                .rotate(
                    new Rotation(
                        ActId.random(),
                        document.scope(),
                        mandate,
                        new Generation(next - 1),
                        "ann",
                        "the mandate was renewed",
                        false)))
        .isInstanceOf(RotateOutcome.Rotated.class);
  }

  private static VerifiedResponse signed(long generation) {
    UpstreamResponse answer =
        new UpstreamResponse(
            200,
            true,
            "signed".getBytes(StandardCharsets.UTF_8),
            List.of(),
            new EffectId("effect"));
    Verification verified = answer.verifyAttested(DigestRule.OPTIONAL, new Generation(generation));
    assertThat(verified).isInstanceOf(Verification.Verified.class);
    return ((Verification.Verified) verified).response();
  }

  private Optional<OperationView> attended() {
    ClaimRequest like = request(document, live);
    return bed.jooq.attend(
        new AttendRequest(
            document.scope(),
            document.operation(),
            document.fingerprint(),
            document.generation(),
            new OpenAttemptRule.RolledBack(),
            live,
            like.worker(),
            like.origin()));
  }
}
