package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import org.jooq.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stored success is neither lost nor ignored, whoever comes next. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PendingEvidenceTransactionTest {
  private static final AttemptEnd FAILED =
      new AttemptEnd.Failed(new SettledFailure("no_such", 404));

  private final SettlementBed bed;
  private final Reservation document = fresh();

  PendingEvidenceTransactionTest(EmbeddedLedger ledger) {
    this.bed = new SettlementBed(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void a_rival_that_saw_the_same_effect_completes_under_its_own_token() {
    Lease rival = rivalAfterStored("effect-1");

    SettleOutcome outcome =
        bed.jooq.settle(rival, response("effect-1", "another body"), result("own"));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            SettleOutcome.Committed.class,
            committed -> assertThat(committed.receipt().token()).isEqualTo(rival.token()));
    document()
        .isCompletedWith(response("effect-1", "another body").digest())
        .hasPendingEvidence(0)
        .hasReceipts(1)
        .hasOpenAttempts(0)
        .has(OPERATION.ATTENTION_AT, null);
    assertThat(receipt().get(RECEIPT.EVIDENCE_CLAIM_ID)).isNull();
  }

  @Test
  void a_rival_that_saw_another_effect_finds_a_conflict_and_no_receipt_is_written() {
    Lease rival = rivalAfterStored("effect-1");

    assertThat(settle(rival, "effect-2"))
        .isInstanceOfSatisfying(
            SettleOutcome.AlreadySettled.class,
            settled -> assertThat(settled.operation().state()).isEqualTo(OperationState.CONFLICT));
    document()
        .hasReceipts(0)
        .hasPendingEvidence(0)
        .hasOpenAttempts(0)
        .hasObservations("succeeded pending", "succeeded conflicted");
  }

  @Test
  void a_rival_that_saw_another_effect_is_overruled_where_the_first_commit_wins() {
    Lease former = bed.claim(document);
    bed.letLeasesRunOut();
    Lease rival =
        bed.claim(
            request(
                document,
                new SettlementPolicy(
                    PayloadPolicy.FIRST_COMMIT_WINS, TerminalPolicy.FIRST_COMMIT_WINS)));
    settle(former, "effect-1");

    assertThat(settle(rival, "effect-2"))
        .isInstanceOfSatisfying(
            SettleOutcome.AlreadySettled.class,
            settled -> {
              assertThat(settled.operation().result()).isEqualTo(result("effect-1"));
              assertThat(settled.operation().receiptClaim()).isEqualTo(former.claimId());
            });
    document()
        .isCompletedWith(response("effect-1").digest())
        .isReleased()
        .hasReceipts(1)
        .hasOpenAttempts(0)
        .hasObservations("succeeded pending", "succeeded recorded");
    assertThat(bed.jooq.read(document.scope(), document.operation()))
        .get()
        .extracting(OperationView::receiptClaim)
        .isEqualTo(former.claimId());
    assertThat(receipt().get(RECEIPT.EVIDENCE_CLAIM_ID)).isEqualTo(former.claimId().value());
  }

  @Test
  void a_rival_that_failed_completes_it_from_what_the_other_saw() {
    Lease rival = rivalAfterStored("effect-1");

    assertThat(bed.jooq.end(rival, FAILED))
        .isInstanceOfSatisfying(
            EndOutcome.Recorded.class,
            recorded ->
                assertThat(recorded.operation().state()).isEqualTo(OperationState.COMPLETED));
    document()
        .isCompletedWith(response("effect-1").digest())
        .isReleased()
        .hasReceipts(1)
        .hasOpenAttempts(0)
        .hasObservations("succeeded pending", "failed recorded");
  }

  @Test
  void the_next_claim_completes_it_under_a_fresh_token_and_dispatches_nothing() {
    Lease former = storedAfterTheEnd("effect-1");
    ClaimRequest next = request(document);

    Claim claim = bed.jooq.claim(next);

    assertThat(claim)
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> {
              assertThat(replay.result()).isEqualTo(result("effect-1"));
              assertThat(replay.completion().effect()).isEqualTo(response("effect-1").effect());
            });
    document()
        .isCompletedWith(response("effect-1").digest())
        .isReleased()
        .hasPendingEvidence(0)
        .hasOpenAttempts(0)
        .hasFormerAttempts(1)
        .has(OPERATION.CLAIM_ID, next.claimId().value())
        .has(OPERATION.ATTENTION_AT, null);
    Record receipt = receipt();
    assertThat(receipt.get(RECEIPT.FENCING_TOKEN)).isGreaterThan(former.token().value());
    assertThat(receipt.get(RECEIPT.CLAIM_ID)).isEqualTo(next.claimId().value());
    assertThat(receipt.get(RECEIPT.EVIDENCE_CLAIM_ID)).isEqualTo(former.claimId().value());
    assertThat(receipt.get(RECEIPT.SOURCE)).isEqualTo("witnessed");
  }

  @Test
  void the_next_claim_picks_up_even_before_parked() {
    Lease first = bed.claim(document);
    bed.letLeasesRunOut();
    Lease second = bed.claim(document);
    bed.jooq.end(second, new AttemptEnd.Unclear("timed_out"));
    bed.ledger
        .sql()
        .execute(
            "update operation set parked_reason = 'open_attempt', attention_at = ledger_clock()"
                + " where operation_id = ?",
            document.operation().text());
    settle(first, "effect-1");
    document().isParkedFor("open_attempt").hasOpenAttempts(1);

    assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Replay.class);
    document().has(OPERATION.PARKED_REASON, null).hasReceipts(1).hasOpenAttempts(1);
  }

  @Test
  void a_claim_that_is_sent_again_counts_once() {
    Lease former = bed.claim(document);
    bed.letLeasesRunOut();
    ClaimRequest lost = request(document);
    bed.claim(lost);
    bed.letLeasesRunOut();
    settle(former, "effect-1");

    assertThat(bed.slow.pickUp(lost)).isInstanceOf(Claim.Replay.class);
    document().hasReceipts(1).hasOpenAttempts(bed.openAttempts(document)).hasOpenAttempts(0);
  }

  @Test
  void two_witnesses_of_one_effect_give_one_receipt() {
    twoWitnesses("effect-1", "effect-1");

    assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Replay.class);
    document().hasReceipts(1).hasPendingEvidence(0).hasOpenAttempts(0);
  }

  @Test
  void two_witnesses_of_two_effects_are_a_conflict_and_the_token_stays() {
    Lease last = twoWitnesses("effect-1", "effect-2");

    assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Conflicted.class);
    document()
        .isInState(OperationState.CONFLICT)
        .wasLastClaimedBy(last)
        .hasReceipts(0)
        .hasPendingEvidence(0);
    assertThat(bed.stored(document).get(OPERATION.ATTENTION_AT)).isNotNull();
  }

  @Test
  void a_claim_leaves_a_live_lease_to_its_holder() {
    rivalAfterStored("effect-1");
    StoredOperation before = bed.stored(document);

    assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Busy.class);
    document().isUntouchedSince(before);
  }

  @Test
  void a_claim_of_another_tuple_picks_nothing_up() {
    storedAfterTheEnd("effect-1");
    StoredOperation before = bed.stored(document);
    Reservation other =
        new Reservation(
            document.scope(),
            document.operation(),
            document.fingerprint(),
            new Generation(1),
            document.resource());

    assertThat(bed.jooq.claim(request(other)))
        .isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
    document().isUntouchedSince(before);
  }

  @Test
  void a_claim_waits_for_the_shared_resource_and_takes_its_next_token() {
    ResourceId printer = ResourceId.shared("printer-" + document.operation().key());
    Reservation first = Rows.reservation(document.operation().key(), printer);
    Reservation second = Rows.reservation("other-" + document.operation().key(), printer);
    Lease former = bed.claim(first);
    bed.letLeasesRunOut();
    Lease rival = bed.claim(second);
    assertThat(settle(former, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
    assertThat(bed.jooq.claim(request(first))).isInstanceOf(Claim.Busy.class);

    bed.jooq.end(rival, new AttemptEnd.Refused(429));
    ClaimRequest next = request(first);

    assertThat(bed.jooq.claim(next)).isInstanceOf(Claim.Replay.class);
    Record resource = resource(printer);
    assertThat(resource.get(RESOURCE.CLAIM_ID)).isEqualTo(next.claimId().value());
    assertThat(resource.get(RESOURCE.RELEASED)).isTrue();
    assertThat(resource.get(RESOURCE.FENCING_TOKEN)).isGreaterThan(rival.token().value());
    assertThat(receipt().get(RECEIPT.FENCING_TOKEN))
        .isEqualTo(resource.get(RESOURCE.FENCING_TOKEN));
  }

  @Test
  void the_resource_lost_to_another_operation_is_a_lease_that_is_over() {
    ResourceId printer = ResourceId.shared("printer-" + document.operation().key());
    Reservation first = Rows.reservation(document.operation().key(), printer);
    Lease former = bed.claim(first);
    // another operation took it, by the resource's row alone
    bed.ledger
        .sql()
        .update(RESOURCE)
        .set(RESOURCE.FENCING_TOKEN, RESOURCE.FENCING_TOKEN.plus(1))
        .where(RESOURCE.RESOURCE_ID.eq(printer.value()))
        .execute();

    assertThat(settle(former, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
    document().isInState(OperationState.IN_PROGRESS).hasPendingEvidence(1);
  }

  @Test
  void the_end_of_a_lease_ends_the_shared_resources_too() {
    ResourceId printer = ResourceId.shared("printer-" + document.operation().key());
    Lease lease = bed.claim(Rows.reservation(document.operation().key(), printer));

    bed.jooq.end(lease, new AttemptEnd.Refused(429));

    assertThat(resource(printer).get(RESOURCE.RELEASED)).isTrue();
  }

  @Test
  void a_thin_margin_picks_nothing_up() {
    Lease former = bed.claim(document);
    bed.letLeasesRunOut();
    LeaseMargin wide = new LeaseMargin(SettlementBed.LEASE.multipliedBy(2));
    Lease rival = bed.claim(request(document, SettlementPolicy.STANDARD, wide));
    settle(former, "effect-1");

    assertThat(settle(rival, "effect-1")).isInstanceOf(SettleOutcome.MarginTooThin.class);
    document().hasPendingEvidence(1).hasReceipts(0);
  }

  private Lease rivalAfterStored(String effect) {
    Lease former = bed.claim(document);
    bed.letLeasesRunOut();
    Lease rival = bed.claim(document);
    assertThat(settle(former, effect)).isInstanceOf(SettleOutcome.Preempted.class);
    return rival;
  }

  private Lease storedAfterTheEnd(String effect) {
    Lease former = bed.claim(document);
    bed.letLeasesRunOut();
    assertThat(settle(former, effect)).isInstanceOf(SettleOutcome.LeaseExpired.class);
    return former;
  }

  private Lease twoWitnesses(String one, String two) {
    Lease first = bed.claim(document);
    bed.letLeasesRunOut();
    Lease second = bed.claim(document);
    bed.letLeasesRunOut();
    settle(first, one);
    settle(second, two);
    document().hasPendingEvidence(2);
    return second;
  }

  private SettleOutcome settle(Lease lease, String effect) {
    return bed.jooq.settle(lease, response(effect), result(effect));
  }

  private Record resource(ResourceId resource) {
    return bed.ledger
        .sql()
        .selectFrom(RESOURCE)
        .where(RESOURCE.RESOURCE_ID.eq(resource.value()))
        .fetchSingle();
  }

  private Record receipt() {
    return bed.stored(document).receipts().getFirst();
  }

  private LedgerAssert document() {
    return LedgerAssert.assertThat(bed.stored(document));
  }
}
