package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Two threads of one asker report about one lease. */
class TwoReportersTest extends LossBed {
  TwoReportersTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  @Test
  void what_may_dispatch_is_not_given_back_beside_it() throws Exception {
    Asking asking = Asking.about("two-reporters").under(new OpenAttemptRule.AskFirst());
    asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    ReconcilingLease lease = ((Claim.Reconcile) asking.claim(ledger)).lease();
    CountDownLatch commit = hold(1, COMMIT);
    Future<ReconcileOutcome> no =
        Contenders.background(
            () -> ledger.reconcile(lease, new Finding.DidNotHappen(Finality.FENCED)));
    awaitDisturbance();
    FutureTask<ReconcileOutcome> unknown =
        new FutureTask<>(() -> ledger.reconcile(lease, new Finding.NotKnownYet("in_flight")));
    Thread other = Thread.ofPlatform().start(unknown);
    await().until(() -> other.getState() == Thread.State.WAITING || sessionsThatWait() > 0);

    commit.countDown();

    UndispatchedLease may = ((ReconcileOutcome.MayDispatch) no.get()).lease();
    assertThatThrownBy(unknown::get).hasCauseInstanceOf(IllegalStateException.class);
    operation(asking).isInState(OperationState.IN_PROGRESS).hasOpenAttempts(1);
    assertThat(ledger.settle(may.dispatch(), Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  private int sessionsThatWait() {
    return embedded
        .sql()
        .fetchSingle(
            "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname"
                + " = current_database()")
        .get(0, Integer.class);
  }
}
