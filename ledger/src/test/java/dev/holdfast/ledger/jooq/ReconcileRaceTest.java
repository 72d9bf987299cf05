package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Former attempts report while the upstream is being asked about them, round after round. */
@Tag("race")
class ReconcileRaceTest extends ReconcileBed {
  private static final int ROUNDS = 10;

  /** How many rounds to wait for both to have been first. */
  private static final int PATIENCE = 500;

  private static final int ATTEMPTS = 6;

  ReconcileRaceTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void a_late_success_is_never_passed_over() throws Exception {
    Set<Class<?>> seen = new HashSet<>();
    for (int round = 0; round < ROUNDS || (seen.size() < 2 && round < PATIENCE); round++) {
      Asking asking = fresh();
      Lease first = died(asking);
      ReconcilingLease lease = asks(asking).lease();

      ReconcileOutcome outcome =
          against(lease, () -> ledger.settle(first, Asking.response(), Asking.RESULT));
      seen.add(outcome.getClass());

      LedgerAssert.assertThat(stored(asking)).hasPendingEvidence(1);
      countsOpenAttempts(asking);
      switch (outcome) {
        case ReconcileOutcome.MayDispatch(UndispatchedLease may) -> {
          ledger.settle(may.dispatch(), SettlementBed.response("effect-2"), Asking.RESULT);
          LedgerAssert.assertThat(stored(asking)).isInState(OperationState.CONFLICT);
        }
        case ReconcileOutcome.ClaimAgain again ->
            assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
        default -> throw new AssertionError(outcome.toString());
      }
      countsOpenAttempts(asking);
    }
    // else one side always came first, and nothing was raced
    assertThat(seen).hasSize(2);
  }

  @Test
  void a_late_abandon_and_a_no_close_an_attempt_once() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Asking asking = fresh();
      UndispatchedLease first = asking.granted(ledger);
      bed.pass(LEASE);
      ReconcilingLease lease = asks(asking).lease();

      assertThat(against(lease, () -> ledger.abandon(first)))
          .isInstanceOf(ReconcileOutcome.MayDispatch.class);

      LedgerAssert.assertThat(stored(asking)).hasOpenAttempts(1);
      countsOpenAttempts(asking);
    }
  }

  @Test
  void the_counter_of_open_attempts_stays_exact_whatever_is_reported() throws Exception {
    Random random = new Random(20261130);
    for (int round = 0; round < ROUNDS; round++) {
      Asking asking = fresh();
      List<Callable<?>> reports = new ArrayList<>();
      Asking rolledBack = asking.under(new OpenAttemptRule.RolledBack());
      for (int i = 0; i < ATTEMPTS; i++) {
        reports.add(report(died(rolledBack), random.nextInt(4)));
      }
      ReconcilingLease lease = asks(asking).lease();

      ReconcileOutcome outcome = against(lease, reports.toArray(Callable<?>[]::new));

      assertThat(outcome)
          .isInstanceOfAny(ReconcileOutcome.MayDispatch.class, ReconcileOutcome.ClaimAgain.class);
      countsOpenAttempts(asking);
      StoredOperation stored = stored(asking);
      long pending =
          stored.observations().stream()
              .filter(row -> "pending".equals(row.get("disposition")))
              .count();
      LedgerAssert.assertThat(stored).hasPendingEvidence((int) pending);
    }
  }

  private Callable<?> report(Lease lease, int kind) {
    return switch (kind) {
      case 0 -> () -> ledger.settle(lease, Asking.response(), Asking.RESULT);
      case 1 -> () -> ledger.end(lease, new AttemptEnd.Refused(429));
      case 2 -> () -> ledger.end(lease, new AttemptEnd.Failed(new SettledFailure("no", 404)));
      default -> () -> ledger.end(lease, new AttemptEnd.Unclear("timed_out"));
    };
  }

  private StoredOperation stored(Asking asking) {
    return bed.stored(asking.reservation());
  }

  private void countsOpenAttempts(Asking asking) {
    LedgerAssert.assertThat(stored(asking)).hasOpenAttempts(bed.openAttempts(asking.reservation()));
  }

  /** What the one who asked hears, while these come in. */
  private ReconcileOutcome against(ReconcilingLease lease, Callable<?>... reports)
      throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (Callable<?> report : reports) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return report.call();
                }));
      }
      Future<ReconcileOutcome> asked =
          threads.submit(
              () -> {
                start.await();
                return didNotHappen(lease, Finality.FENCED);
              });
      start.countDown();
      for (Future<?> one : running) {
        one.get();
      }
      return asked.get();
    }
  }
}
