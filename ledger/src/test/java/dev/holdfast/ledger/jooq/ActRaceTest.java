package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A person acts while others do: one of them is first, and the other sees what it left. */
class ActRaceTest extends ActBed {
  private static final int ROUNDS = 30;

  private final ExecutorService both = Executors.newFixedThreadPool(2);
  private final CyclicBarrier start = new CyclicBarrier(2);

  ActRaceTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @AfterEach
  void end() {
    both.shutdownNow();
  }

  private <T> Future<T> raced(Callable<T> work) {
    return both.submit(
        () -> {
          start.await();
          return work.call();
        });
  }

  private void countsAgree(Reservation operation) {
    assertThat(bed.openAttempts(operation))
        .isEqualTo(bed.stored(operation).get(OPERATION.OPEN_ATTEMPTS));
  }

  @Test
  void of_two_acts_upon_the_same_revision_one_is_done() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      bed.claimBriefly(operation);
      Revision seen =
          bed.jooq.read(operation.scope(), operation.operation()).orElseThrow().revision();

      Future<ActOutcome> one =
          raced(() -> acts.resolve(terms(operation, seen, false), didNotHappenWhateverMayLand()));
      Future<ActOutcome> other =
          raced(() -> acts.resolve(terms(operation, seen, false), happened("effect-1")));

      assertThat(List.of(one.get(), other.get()))
          .hasAtLeastOneElementOfType(ActOutcome.Done.class)
          .hasAtLeastOneElementOfType(ActOutcome.Moved.class);
      countsAgree(operation);
    }
  }

  @Test
  void a_claim_is_held_or_comes_under_a_higher_token() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      bed.claimBriefly(operation);

      Future<ActOutcome> act =
          raced(() -> acts.resolve(terms(operation), didNotHappenWhateverMayLand()));
      Future<Claim> claim = raced(() -> bed.jooq.claim(request(operation)));

      ActOutcome done = act.get();
      assertThat(claim.get()).isInstanceOf(Claim.Granted.class);
      assertThat(done).isInstanceOfAny(ActOutcome.Done.class, ActOutcome.Held.class);
      StoredOperation stored = bed.stored(operation);
      assertThat(stored.get(OPERATION.OPEN_ATTEMPTS))
          .isEqualTo(done instanceof ActOutcome.Done ? 1 : 2);
      assertThat(stored.get(OPERATION.STATE)).isEqualTo(OperationState.IN_PROGRESS.word());
      countsAgree(operation);
    }
  }

  // H1
  @Test
  void a_late_success_is_never_lost_beside_what_did_not_happen() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Reservation operation = fresh();
      Lease late = bed.claimBriefly(operation);

      Future<ActOutcome> act =
          raced(() -> acts.resolve(terms(operation), didNotHappenWhateverMayLand()));
      Future<?> success = raced(() -> bed.jooq.settle(late, response("effect-1"), result("late")));

      success.get();
      assertThat(act.get()).isInstanceOfAny(ActOutcome.Done.class, ActOutcome.EvidenceWaits.class);
      assertThat(bed.stored(operation).get(OPERATION.PENDING_EVIDENCE)).isEqualTo(1);
      assertThat(bed.jooq.claim(request(operation))).isInstanceOf(Claim.Replay.class);
      countsAgree(operation);
    }
  }
}
