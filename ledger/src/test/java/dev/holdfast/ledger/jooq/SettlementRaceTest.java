package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sixteen claims of one operation report at once, round after round. */
@Tag("race")
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettlementRaceTest {
  private static final int CLAIMS = 16;
  private static final int ROUNDS = 5;

  private final SettlementBed bed;

  SettlementRaceTest(EmbeddedLedger ledger) {
    this.bed = new SettlementBed(ledger, ledger.pool(CLAIMS));
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void of_one_effect_there_is_one_receipt_and_no_witness_is_lost() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      List<SettleOutcome> outcomes =
          together(claims(operation), lease -> settle(lease, "effect-1"));

      assertThat(outcomes).noneMatch(SettleOutcome.Contended.class::isInstance);
      assertThat(outcomes).filteredOn(SettleOutcome.Committed.class::isInstance).hasSize(1);
      StoredOperation stored = bed.stored(operation);
      LedgerAssert.assertThat(stored)
          .isInState(OperationState.COMPLETED)
          .hasReceipts(1)
          .hasPendingEvidence(0)
          .hasOpenAttempts(0);
      assertThat(stored.observations()).hasSize(CLAIMS - 1);
    }
  }

  @Test
  void of_two_effects_there_is_always_a_conflict() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      List<Lease> leases = claims(operation);
      together(leases, lease -> settle(lease, "effect-" + leases.indexOf(lease) % 2));

      // whoever came last, the holder's own commit included, has looked at all the others
      LedgerAssert.assertThat(bed.stored(operation))
          .isInState(OperationState.CONFLICT)
          .hasPendingEvidence(0)
          .hasOpenAttempts(0);
    }
  }

  @Test
  void without_a_live_lease_claims_pick_up_once_what_all_have_stored() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      List<Lease> leases = claims(operation);
      bed.letLeasesRunOut();
      settle(leases.getFirst(), "effect-1");
      together(
          leases,
          lease ->
              leases.indexOf(lease) % 2 == 0
                  ? settle(lease, "effect-1")
                  : bed.jooq.claim(request(operation)));

      bed.jooq.claim(request(operation));
      LedgerAssert.assertThat(bed.stored(operation))
          .isInState(OperationState.COMPLETED)
          .hasReceipts(1)
          .hasPendingEvidence(0)
          .hasOpenAttempts(bed.openAttempts(operation));
    }
  }

  @Test
  void the_counter_of_open_attempts_stays_exact_whatever_is_reported() throws Exception {
    Random random = new Random(20261130);
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      List<Lease> leases = claims(operation);
      int[] kinds = random.ints(CLAIMS, 0, 4).toArray();
      together(
          leases,
          lease ->
              switch (kinds[leases.indexOf(lease)]) {
                case 0 -> settle(lease, "effect-1");
                case 1 -> bed.jooq.end(lease, new AttemptEnd.Refused(429));
                case 2 -> bed.jooq.end(lease, new AttemptEnd.Unclear("timed_out"));
                default -> settle(lease, "effect-1");
              });

      StoredOperation stored = bed.stored(operation);
      LedgerAssert.assertThat(stored).hasOpenAttempts(bed.openAttempts(operation));
      long pending =
          "completed".equals(stored.get(OPERATION.STATE))
              ? 0
              : stored.observations().stream()
                  .filter(row -> "pending".equals(row.get("disposition")))
                  .count();
      LedgerAssert.assertThat(stored).hasPendingEvidence((int) pending);
    }
  }

  private SettleOutcome settle(Lease lease, String effect) {
    return bed.jooq.settle(lease, response(effect), result(effect));
  }

  /** The last of them holds a live lease, the others were preempted. */
  private List<Lease> claims(Reservation operation) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 1; i < CLAIMS; i++) {
      leases.add(bed.claimBriefly(operation));
    }
    leases.add(bed.claim(operation));
    return leases;
  }

  private interface Act<T> {
    T by(Lease lease) throws Exception;
  }

  private static <T> List<T> together(List<Lease> leases, Act<T> act) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (Lease lease : leases) {
        Callable<T> task =
            () -> {
              start.await();
              return act.by(lease);
            };
        running.add(threads.submit(task));
      }
      start.countDown();
      List<T> done = new ArrayList<>();
      for (Future<T> one : running) {
        done.add(one.get());
      }
      return done;
    }
  }
}
