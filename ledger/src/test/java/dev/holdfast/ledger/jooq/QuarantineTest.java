package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evidence of another tuple is set aside, and few are told of it (seed: quarantine alerting). */
class QuarantineTest extends ActBed {
  private static final int SETTLERS = 64;
  private static final int STALE = 10_000;

  private final Queue<QuarantineWarning> told = new ConcurrentLinkedQueue<>();
  private final JooqLedger listening;

  QuarantineTest(EmbeddedLedger ledger) {
    super(ledger);
    this.listening = JooqLedger.open(ledger.pool(8), LedgerOptions.standard().warning(told::add));
  }

  /** A lease of this claim that bears another tuple than the claim's own row. */
  private Lease tagged(Lease held, String request, long generation) {
    Reservation own = held.reservation();
    Reservation other =
        new Reservation(
            own.scope(),
            own.operation(),
            new RequestFingerprint("fp1", Sha256.ofUtf8(request)),
            new Generation(generation),
            own.resource());
    ClaimRequest asked = SettlementBed.request(other);
    return bed.leaseOf(
        new ClaimRequest(
            other,
            held.claimId(),
            asked.worker(),
            asked.origin(),
            asked.leaseFor(),
            asked.dispatchWithin(),
            asked.inFlight(),
            asked.margin(),
            asked.rule(),
            asked.policy(),
            asked.gates()),
        held);
  }

  private void quarantined(Lease lease, String effect) {
    assertThat(listening.settle(lease, response(effect), result(effect)))
        .isInstanceOf(SettleOutcome.Quarantined.class);
  }

  private OperationStory.Quarantine quarantine() {
    return story().quarantine();
  }

  @Test
  void a_mismatch_is_counted_told_of_and_shown() {
    Lease held = bed.claim(document);

    quarantined(tagged(held, "request", 7), "effect-1");

    assertThat(told)
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.operation()).isEqualTo(document.operation());
              assertThat(warning.generation()).isEqualTo(new Generation(7));
              assertThat(warning.observed()).isEqualTo(document.fingerprint());
            });
    assertThat(quarantine().count()).isEqualTo(1);
    assertThat(quarantine().warnings()).isEqualTo(List.copyOf(told));
  }

  @Test
  void one_pair_of_fingerprint_and_generation_is_told_of_once_for_ever() {
    Lease held = bed.claim(document);
    quarantined(tagged(held, "request", 7), "effect-1");
    bed.pass(Duration.ofHours(25));

    quarantined(tagged(held, "request", 7), "effect-2");
    quarantined(tagged(held, "another request", 7), "effect-3");

    assertThat(told).hasSize(2);
    assertThat(quarantine().count()).isEqualTo(3);
  }

  @Test
  void the_same_evidence_sent_again_counts_once() {
    Lease held = bed.claim(document);
    quarantined(tagged(held, "request", 7), "effect-1");

    quarantined(tagged(held, "request", 7), "effect-1");

    assertThat(quarantine().count()).isEqualTo(1);
  }

  @Test
  void of_nine_pairs_eight_are_told_of_and_the_next_one_when_a_day_is_over() {
    Lease held = bed.claim(document);
    for (int pair = 1; pair <= 8; pair++) {
      quarantined(tagged(held, "request", pair), "effect");
      bed.pass(Duration.ofHours(1));
    }
    quarantined(tagged(held, "request", 9), "effect");
    assertThat(told).hasSize(8);

    // the first of them was given 24 hours ago, the others were not
    bed.pass(Duration.ofHours(16));
    quarantined(tagged(held, "request", 10), "effect");
    quarantined(tagged(held, "request", 11), "effect");

    assertThat(told).hasSize(9).last().extracting(w -> w.generation().value()).isEqualTo(10L);
    assertThat(quarantine().count()).isEqualTo(11);
  }

  @Test
  void one_that_was_not_told_of_for_their_number_is_told_of_when_it_comes_again_later() {
    Lease held = bed.claim(document);
    for (int pair = 1; pair <= 9; pair++) {
      quarantined(tagged(held, "request", pair), "effect-1");
    }
    bed.pass(Duration.ofHours(25));

    quarantined(tagged(held, "request", 9), "effect-2");

    assertThat(told).hasSize(9).last().extracting(w -> w.generation().value()).isEqualTo(9L);
  }

  @Test
  void the_bounds_are_an_operations_own() {
    for (int i = 0; i < 9; i++) {
      quarantined(tagged(bed.claim(fresh()), "request", 7), "effect");
    }

    assertThat(told).hasSize(9);
  }

  @Test
  void an_end_without_a_success_is_quarantined_as_well() {
    Lease held = bed.claim(document);

    assertThat(listening.end(tagged(held, "request", 7), UNCLEAR))
        .isInstanceOf(EndOutcome.Quarantined.class);

    assertThat(told).hasSize(1);
    document().isInState(OperationState.IN_PROGRESS).hasOpenAttempts(1);
  }

  @Test
  void a_listener_that_throws_changes_nothing() {
    JooqLedger strict =
        JooqLedger.open(
            ledger.pool(1),
            LedgerOptions.standard()
                .warning(
                    warning -> {
                      throw new IllegalStateException("no pager");
                    }));
    Lease held = bed.claim(document);

    assertThat(strict.settle(tagged(held, "request", 7), response("effect"), result("x")))
        .isInstanceOf(SettleOutcome.Quarantined.class);

    assertThat(quarantine().count()).isEqualTo(1);
  }

  // case H5
  @ParameterizedTest
  @ValueSource(longs = {2, 4})
  void evidence_of_another_generation_closes_nothing_and_a_later_match_completes(long generation) {
    Lease held = bed.claim(document);
    quarantined(tagged(held, "request", generation), "effect-1");
    document().isInState(OperationState.IN_PROGRESS).hasOpenAttempts(1).hasReceipts(0);

    assertThat(listening.settle(held, response("effect-1"), result("as committed")))
        .isInstanceOf(SettleOutcome.Committed.class);

    document().isCompletedWith(response("effect-1").digest());
  }

  @Test
  void a_quarantined_commit_keeps_its_attempt_open_after_the_lease() {
    Lease late = bed.claimBriefly(document);
    quarantined(tagged(late, "request", 7), "effect-1");

    countsItsOpenAttempts(1);
    assertThat(settle(late, "effect-1")).isInstanceOf(SettleOutcome.LeaseExpired.class);
    assertThat(claim()).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void among_many_settlers_at_once_the_bounds_are_exact() throws Exception {
    Lease held = bed.claim(document);

    Contenders.race(
        SETTLERS,
        4,
        (settler, round) ->
            listening.settle(
                tagged(held, "request", 1 + settler / 4 + round),
                response("e" + settler),
                result("x")));

    assertThat(told).hasSize(8);
    assertThat(told).extracting(QuarantineWarning::generation).doesNotHaveDuplicates();
    assertThat(quarantine().warnings()).hasSize(8);
    assertThat(quarantine().count()).isEqualTo(SETTLERS * 4);
  }

  @Test
  void ten_thousand_stale_tuples_give_eight_warnings_and_are_all_counted() {
    Lease held = bed.claim(document);

    for (int i = 1; i <= STALE; i++) {
      quarantined(tagged(held, "request", i), "late");
    }

    assertThat(told).hasSize(8);
    assertThat(quarantine().warnings()).hasSize(8);
    assertThat(quarantine().count()).isEqualTo(STALE);
    document()
        .isInState(OperationState.IN_PROGRESS)
        .hasOpenAttempts(1)
        .has(OPERATION.RECEIPT_NUMBER, null);
  }
}
