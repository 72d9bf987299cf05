package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;

/** All that is kept of one operation, as the operator sees it. */
class OperationStoryTest extends ResolverBed {
  private final EmbeddedLedger ledger;

  OperationStoryTest(EmbeddedLedger ledger) {
    super(ledger);
    this.ledger = ledger;
  }

  private OperationStory show(Reservation operation) {
    return bed.jooq.acts().show(operation.scope(), operation.operation()).orElseThrow();
  }

  @Test
  void of_what_nobody_claimed_there_is_none() {
    assertThat(bed.jooq.acts().show(document.scope(), document.operation())).isEmpty();
  }

  @Test
  void it_tells_of_every_attempt_which_are_open_and_until_when_they_may_land() {
    Lease refused = bed.claim(document);
    end(refused, REFUSED);
    Lease unclear = bed.claim(document);
    end(unclear, UNCLEAR);
    Lease last = bed.claim(document);

    OperationStory story = show(document);

    assertThat(story.attempts())
        .extracting(OperationStory.Attempt::claimId)
        .containsExactly(refused.claimId(), unclear.claimId(), last.claimId());
    assertThat(story.attempts())
        .extracting(OperationStory.Attempt::open)
        .containsExactly(false, true, true);
    assertThat(story.attempts())
        .allSatisfy(
            attempt -> {
              assertThat(attempt.dispatchDeadline())
                  .isAfterOrEqualTo(attempt.claimedAt().plus(SettlementBed.LEASE));
              assertThat(attempt.horizon())
                  .isAfterOrEqualTo(attempt.dispatchDeadline().plus(SettlementBed.LEASE));
              assertThat(attempt.origin().workflowId()).isEqualTo("workflow-1");
            });
    assertThat(story.operation().openAttempts()).isEqualTo(2);
  }

  @Test
  void it_tells_what_was_seen_and_what_became_of_it() {
    Lease unclear = bed.claim(document);
    end(unclear, UNCLEAR);

    assertThat(show(document).observations())
        .singleElement()
        .satisfies(
            seen -> {
              assertThat(seen.claimId()).isEqualTo(unclear.claimId());
              assertThat(seen.observer()).isEqualTo("holder");
              assertThat(seen.kind()).isEqualTo("timed_out");
              assertThat(seen.reason()).isEqualTo("timed_out");
              assertThat(seen.disposition()).isEqualTo("demoted");
              assertThat(seen.closesAttempt()).isFalse();
            });
  }

  @Test
  void it_shows_the_receipt_and_leaves_the_result_out() {
    Lease lease = bed.claim(document);
    SettleOutcome settled = bed.jooq.settle(lease, response("effect-1"), result("secret result"));
    assertThat(settled).isInstanceOf(SettleOutcome.Committed.class);

    OperationStory story = show(document);

    assertThat(story.operation().state()).isEqualTo(OperationState.COMPLETED);
    assertThat(story.operation().result()).isNull();
    assertThat(story.receipts())
        .singleElement()
        .satisfies(
            proof -> {
              assertThat(proof.receipt().completion()).isEqualTo(story.operation().completion());
              assertThat(proof.receipt().token()).isEqualTo(lease.token());
              assertThat(proof.receipt().responseDigest()).isEqualTo(response("effect-1").digest());
              assertThat(proof.attempt()).isEqualTo(lease.claimId());
              assertThat(proof.source()).isEqualTo("witnessed");
              assertThat(proof.status()).isEqualTo(200);
            });
  }

  @Test
  void it_says_since_when_a_person_is_awaited() {
    Lease unclear = bed.claim(document);
    end(unclear, UNCLEAR);
    assertThat(show(document).awaitedSince()).isNull();

    park(document);

    assertThat(show(document).awaitedSince()).isNotNull();
    assertThat(show(document).operation().parkedReason()).isEqualTo("open_attempt");
  }

  @Test
  void it_tells_how_the_reservation_was_changed() {
    bed.claimBriefly(document);
    rebind(document);

    assertThat(show(document).changes())
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.act()).isEqualTo("carry");
              assertThat(change.generation()).isEqualTo(document.generation());
              assertThat(change.actor()).isEqualTo("op");
              assertThat(change.reason()).isEqualTo("test");
            });
  }

  @Test
  void it_shows_the_operation_as_a_read_does() {
    Lease lease = bed.claim(document);
    bed.jooq.settle(lease, response("effect-1"), result("result"));

    OperationView read = bed.jooq.read(document.scope(), document.operation()).orElseThrow();
    OperationView shown = show(document).operation();

    assertThat(shown)
        .usingRecursiveComparison()
        .ignoringFields("result", "leaseRest")
        .isEqualTo(read);
  }

  @Test
  void nothing_that_may_be_printed_shows_a_key_or_a_result() {
    Lease lease = bed.claim(document);
    bed.jooq.settle(lease, response("effect-1"), result("secret result"));

    assertThat(show(document).toString())
        .doesNotContain(document.operation().key())
        .doesNotContain("secret");
  }

  @Test
  void it_is_looked_at_without_a_trace() {
    bed.claim(document);

    assertThat(show(document).attempts()).hasSize(1);

    assertThat(Wal.writtenBy(ledger, () -> show(document))).isZero();
  }
}
