package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import org.junit.jupiter.api.Test;

/** Hazard 2 of the seed: a worker wakes up and commits under a token that is not valid any more. */
class ExpiredTokenCommitTest extends LossBed {
  private static final String TOKEN = "\"o\".\"fencing_token\" = ?";
  private static final String CLAIM_ID = "\"o\".\"claim_id\" = cast(? as uuid)";
  private static final String REVISION = "\"o\".\"revision\" = ?";

  /** Whether enough of the lease is left, by the clock that was read above the lock. */
  private static final String MARGIN =
      "\"lease_end\" >= \"judged_at\" + make_interval(secs => cast(? as double precision))";

  ExpiredTokenCommitTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  @Test
  void a_zombie_whose_token_was_overtaken_commits_nothing() {
    Asking asking = Asking.about("overtaken");
    Lease zombie = asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    Lease holder = asking.dispatched(rival);

    assertThat(ledger.settle(zombie, Asking.response("zombie"), Asking.RESULT))
        .isEqualTo(new SettleOutcome.Preempted());

    operation(asking)
        .isInState(OperationState.IN_PROGRESS)
        .wasLastClaimedBy(holder)
        .hasReceipts(0)
        .hasPendingEvidence(1);
  }

  @Test
  void without_the_token_a_zombie_commits_under_its_rivals_lease() {
    Asking asking = Asking.about("overtaken-unguarded");
    Unguarded without =
        Unguarded.over(embedded.dataSource()).without(TOKEN).without(CLAIM_ID).without(REVISION);
    JooqLedger unguarded = without.ledger();
    Lease zombie = asking.dispatched(unguarded);
    clock.shift(Asking.LEASE);
    asking.dispatched(rival);

    committed(unguarded.settle(zombie, Asking.response("zombie"), Asking.RESULT));

    assertThat(without.isMet()).isTrue();
    operation(asking).isCompletedWith(Asking.response("zombie").digest());
  }

  @Test
  void each_of_token_and_claim_id_keeps_it_off_alone() {
    for (String guard : new String[] {TOKEN, CLAIM_ID}) {
      Asking asking = Asking.about("one-guard-" + guard.length());
      Unguarded without = Unguarded.over(embedded.dataSource()).without(guard).without(REVISION);
      JooqLedger unguarded = without.ledger();
      Lease zombie = asking.dispatched(unguarded);
      clock.shift(Asking.LEASE);
      asking.dispatched(rival);

      assertThat(unguarded.settle(zombie, Asking.response("zombie"), Asking.RESULT))
          .isEqualTo(new SettleOutcome.Preempted());
      operation(asking).hasReceipts(0);
      clock.close();
    }
  }

  @Test
  void a_lease_that_is_over_commits_nothing_even_without_a_rival() {
    Asking asking = Asking.about("over");
    Lease zombie = asking.dispatched(ledger);
    clock.shift(Asking.LEASE);

    assertThat(ledger.settle(zombie, Asking.response(), Asking.RESULT))
        .isEqualTo(new SettleOutcome.LeaseExpired());

    operation(asking).hasReceipts(0).hasPendingEvidence(1);
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void without_the_margin_it_commits_all_the_same() {
    try (EmbeddedLedger defenceless = EmbeddedLedger.fresh();
        LedgerClock late = LedgerClock.of(defenceless)) {
      Asking asking = Asking.about("over-unguarded");
      Unguarded without = Unguarded.over(defenceless.dataSource()).without(MARGIN);
      JooqLedger unguarded = without.ledger();
      Lease zombie = asking.dispatched(unguarded);
      late.shift(Asking.LEASE);

      // the database's own guard is the second one
      assertThatThrownBy(() -> unguarded.settle(zombie, Asking.response(), Asking.RESULT))
          .hasMessageContaining("23514");
      defenceless.sql().execute("drop trigger receipt_sound on receipt");

      committed(unguarded.settle(zombie, Asking.response(), Asking.RESULT));
      assertThat(without.isMet()).isTrue();
    }
  }
}
