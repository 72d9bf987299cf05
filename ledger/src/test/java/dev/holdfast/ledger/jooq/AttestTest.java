package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.QUARANTINE_WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A success that its upstream signed and sent by itself. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttestTest {
  private static final String EFFECT = "key-1";

  private final SettlementBed bed;
  private final Reservation reservation = SettlementBed.fresh();

  AttestTest(EmbeddedLedger embedded) {
    this.bed = new SettlementBed(embedded);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void it_is_stored_and_a_fresh_claim_completes_the_operation_with_it() {
    Lease lost = bed.claim(reservation);
    bed.jooq.end(lost, new AttemptEnd.Unclear("timed_out"));

    assertThat(attest(reservation, 0, EFFECT)).isInstanceOf(AttestOutcome.Pending.class);
    LedgerAssert.assertThat(bed.stored(reservation))
        .isInState(OperationState.UNKNOWN)
        .hasPendingEvidence(1)
        .hasReceipts(0);
    Claim claim = bed.jooq.claim(SettlementBed.request(reservation));

    assertThat(claim).isInstanceOf(Claim.Replay.class);
    LedgerAssert.assertThat(bed.stored(reservation))
        .isInState(OperationState.COMPLETED)
        .hasPendingEvidence(0)
        .hasReceipts(1);
    assertThat(bed.stored(reservation).receipts().getFirst().get("source")).isEqualTo("attested");
  }

  @Test
  void under_a_live_lease_it_waits_for_the_holder_who_settles_the_same_effect_once() {
    Lease lease = bed.claim(reservation);

    assertThat(attest(reservation, 0, EFFECT)).isInstanceOf(AttestOutcome.Pending.class);
    SettleOutcome settled =
        bed.jooq.settle(
            lease, SettlementBed.response(EFFECT), SettlementBed.result("the holder's"));

    assertThat(settled).isInstanceOf(SettleOutcome.Committed.class);
    LedgerAssert.assertThat(bed.stored(reservation))
        .isInState(OperationState.COMPLETED)
        .hasPendingEvidence(0)
        .hasReceipts(1);
  }

  @Test
  void a_holder_that_saw_nothing_leaves_it_to_the_next_claim() {
    Lease lease = bed.claim(reservation);
    attest(reservation, 0, EFFECT);

    bed.jooq.end(lease, new AttemptEnd.Unclear("timed_out"));

    assertThat(bed.jooq.claim(SettlementBed.request(reservation))).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_holder_with_another_effect_finds_a_conflict() {
    Lease lease = bed.claim(reservation);
    attest(reservation, 0, EFFECT);

    bed.jooq.settle(lease, SettlementBed.response("another"), SettlementBed.result("another"));

    LedgerAssert.assertThat(bed.stored(reservation))
        .isInState(OperationState.CONFLICT)
        .hasReceipts(0);
  }

  @Test
  void sent_again_it_counts_once() {
    Lease lost = bed.claim(reservation);
    bed.jooq.end(lost, new AttemptEnd.Unclear("timed_out"));
    attest(reservation, 0, EFFECT);
    int before = bed.stored(reservation).observations().size();

    assertThat(attest(reservation, 0, EFFECT)).isInstanceOf(AttestOutcome.Pending.class);
    assertThat(bed.stored(reservation).observations()).hasSize(before);
    LedgerAssert.assertThat(bed.stored(reservation)).hasPendingEvidence(1);
    bed.jooq.claim(SettlementBed.request(reservation));
    assertThat(attest(reservation, 0, EFFECT))
        .isInstanceOfSatisfying(
            AttestOutcome.Settled.class,
            settled -> assertThat(settled.operation().state()).isEqualTo(OperationState.COMPLETED));
    assertThat(bed.stored(reservation).observations()).hasSize(before);
  }

  @Test
  void of_a_completed_operation_the_same_effect_changes_nothing_and_another_one_is_a_conflict() {
    bed.jooq.settle(
        bed.claim(reservation), SettlementBed.response(EFFECT), SettlementBed.result("done"));

    assertThat(attest(reservation, 0, EFFECT)).isInstanceOf(AttestOutcome.Settled.class);
    LedgerAssert.assertThat(bed.stored(reservation)).isInState(OperationState.COMPLETED);
    assertThat(attest(reservation, 0, "another"))
        .isInstanceOfSatisfying(
            AttestOutcome.Settled.class,
            settled -> assertThat(settled.operation().state()).isEqualTo(OperationState.CONFLICT));
    LedgerAssert.assertThat(bed.stored(reservation)).isInState(OperationState.CONFLICT);
  }

  @Test
  void after_a_definite_failure_it_is_a_conflict() {
    bed.jooq.end(
        bed.claim(reservation), new AttemptEnd.Failed(new SettledFailure("rejected", 422)));

    attest(reservation, 0, EFFECT);

    LedgerAssert.assertThat(bed.stored(reservation)).isInState(OperationState.CONFLICT);
  }

  // case H5
  @Test
  void of_another_generation_or_execution_it_is_set_aside_and_a_later_match_completes() {
    Lease lost = bed.claim(reservation);
    bed.jooq.end(lost, new AttemptEnd.Unclear("timed_out"));
    long own = reservation.generation().value();

    assertThat(attest(inGeneration(own + 1), 0, EFFECT))
        .isInstanceOf(AttestOutcome.Quarantined.class);
    assertThat(attest(reservation, 1, EFFECT)).isInstanceOf(AttestOutcome.Quarantined.class);
    assertThat(attest(reservation, 1, EFFECT)).isInstanceOf(AttestOutcome.Quarantined.class);

    LedgerAssert.assertThat(bed.stored(reservation))
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(1)
        .hasPendingEvidence(0)
        .hasReceipts(0);
    assertThat(bed.stored(reservation).observations())
        .filteredOn(row -> "quarantined".equals(row.get("disposition")))
        .hasSize(2);
    assertThat(
            bed.ledger
                .sql()
                .fetchCount(
                    QUARANTINE_WARNING,
                    QUARANTINE_WARNING.OPERATION_ID.eq(reservation.operation().text())))
        .as("one warning for each fingerprint and generation")
        .isEqualTo(2);
    attest(reservation, 0, EFFECT);
    assertThat(bed.jooq.claim(SettlementBed.request(reservation))).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void of_an_operation_that_nobody_claimed_nothing_is_stored() {
    assertThat(attest(reservation, 0, EFFECT)).isInstanceOf(AttestOutcome.Absent.class);
    assertThat(bed.jooq.read(reservation.scope(), reservation.operation())).isEmpty();
  }

  @Test
  void what_nobody_signed_cannot_be_handed_in() {
    assertThatThrownBy(
            () ->
                new AttestedSuccess(
                    Tuple.of(reservation, new Epoch(0)),
                    SettlementBed.response(EFFECT),
                    SettlementBed.result("x"),
                    SettlementPolicy.STANDARD))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Reservation inGeneration(long generation) {
    return new Reservation(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        new Generation(generation),
        reservation.resource());
  }

  private AttestOutcome attest(Reservation signed, int epoch, String effect) {
    return bed.jooq.attest(
        new AttestedSuccess(
            Tuple.of(signed, new Epoch(epoch)),
            response(effect),
            SettlementBed.result("signed"),
            SettlementPolicy.STANDARD));
  }

  private static VerifiedResponse response(String effect) {
    byte[] body = ("signed " + effect).getBytes(StandardCharsets.UTF_8);
    return ((Verification.Verified)
            new UpstreamResponse(200, true, body, List.of(), new EffectId(effect))
                .verifyAttested(DigestRule.OPTIONAL))
        .response();
  }
}
