package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.junit.jupiter.api.Test;

/** What is open is asked about before anything is sent again. */
class ReconcilingClaimTest extends ReconcileBed {
  ReconcilingClaimTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void an_open_attempt_is_asked_about_first() {
    Lease first = died(document);

    Claim.Reconcile claim = asks(document);

    assertThat(claim.open()).extracting(OpenAttempt::claimId).containsExactly(first.claimId());
    assertThat(claim.lease().token().value()).isGreaterThan(first.token().value());
    document().isInState(OperationState.IN_PROGRESS).wasLastClaimedBy(claim.lease());
    countsItsOpenAttempts(2);
  }

  @Test
  void nothing_open_is_granted_at_once() {
    ledger.abandon(document.granted(ledger));

    assertThat(document.claim(ledger)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void the_claim_names_every_open_attempt_with_its_token_and_horizon() {
    Lease first = document.dispatched(ledger);
    Instant firstHorizon = Objects.requireNonNull(stored(OPERATION.HORIZON_AT));
    ledger.end(first, new AttemptEnd.Unclear("timed_out"));
    ReconcilingLease second = asks(document).lease();
    Instant secondHorizon = Objects.requireNonNull(stored(OPERATION.HORIZON_AT));
    bed.pass(LEASE);

    List<OpenAttempt> open = asks(document).open();

    assertThat(open)
        .extracting(OpenAttempt::claimId, OpenAttempt::token, OpenAttempt::horizon)
        .containsExactly(
            tuple(first.claimId(), first.token(), firstHorizon),
            tuple(second.claimId(), second.token(), secondHorizon));
    assertThat(open).extracting(OpenAttempt::lastReason).containsExactly("timed_out", null);
    assertThat(open.getFirst().origin().workflowId()).isEqualTo("workflow");
    // an upsert reads the clock for each of its instants
    assertThat(Duration.between(open.getFirst().claimedAt(), firstHorizon))
        .isCloseTo(HORIZON, Duration.ofSeconds(5));
  }

  private <T> T stored(Field<T> column) {
    return Objects.requireNonNull(bed.stored(document.reservation()).get(column));
  }

  @Test
  void a_key_that_is_still_known_is_sent_again_without_a_question() {
    Asking keyed = keyed();
    died(keyed);

    assertThat(keyed.claim(ledger)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_forgotten_key_is_asked_about() {
    Asking keyed = keyed();
    Lease first = died(keyed);
    bed.pass(Asking.KEY_HORIZON);

    assertThat(asks(keyed).open())
        .extracting(OpenAttempt::claimId)
        .containsExactly(first.claimId());
  }

  private Asking keyed() {
    return document.under(
        new OpenAttemptRule.SameKeyAgain(
            Asking.KEY_HORIZON, Duration.ofMinutes(1), new OpenAttemptRule.AskFirst()));
  }

  @Test
  void of_two_reconcilers_one_is_busy() {
    died(document);
    asks(document);

    assertThat(document.claim(ledger)).isInstanceOf(Claim.Busy.class);
  }

  @Test
  void a_lease_that_only_asks_is_renewed_and_given_back() {
    died(document);
    ReconcilingLease lease = asks(document).lease();
    bed.pass(LEASE.dividedBy(2));

    assertThat(ledger.renew(List.of(lease), LEASE)).containsExactly(lease.claimId());
    bed.pass(LEASE.dividedBy(2));
    assertThat(ledger.reconcile(lease, new Finding.NotKnownYet("in_flight")))
        .isEqualTo(new ReconcileOutcome.GivenBack());

    document().isInState(OperationState.UNKNOWN).isReleased();
    countsItsOpenAttempts(1);
    assertThat(asks(document).open()).hasSize(1);
  }

  @Test
  void behind_a_gate_that_closed_nobody_is_asked() {
    Asking export = Asking.about(document.reservation().operation().key() + "-export");
    Asking gated = document.behind(export.committed(ledger).receipt().completion());
    died(gated);
    bed.ledger
        .sql()
        .execute(
            "update operation set state = 'conflict', revision = revision + 1, attention_at ="
                + " ledger_clock() where operation_id = ?",
            export.reservation().operation().text());

    assertThat(gated.claim(ledger)).isInstanceOf(Claim.GateClosed.class);
    countsItsOpenAttempts(1);
  }

  @Test
  void an_operation_whose_resource_was_passed_on_is_asked_about_and_not_sent_again() {
    ResourceId room = ResourceId.shared("asked-room");
    Asking overtaken = Asking.about("asked-in-room", room).under(new OpenAttemptRule.AskFirst());
    Lease first = died(overtaken);
    ledger.release(Asking.about("next-in-room", room).committed(ledger).permit());

    Claim.Reconcile claim = asks(overtaken);

    assertThat(claim.open()).extracting(OpenAttempt::claimId).containsExactly(first.claimId());
    assertThat(didNotHappen(claim.lease(), Finality.HORIZON))
        .isInstanceOf(ReconcileOutcome.NotFinalYet.class);
    LedgerAssert.assertThat(bed.stored(overtaken.reservation())).isReleased();
    assertThat(Asking.about("third-in-room", room).claim(ledger)).isInstanceOf(Claim.Granted.class);
  }
}
