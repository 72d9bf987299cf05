package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When and under which token a lease that is over passes to somebody else. */
class TakeOverTest extends LossBed {

  TakeOverTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  @Test // case F9
  void a_contender_that_polls_takes_over_when_the_lease_is_over_and_no_sooner() {
    Asking asking = Asking.about("polled");
    UndispatchedLease dead = asking.granted(ledger);
    Instant end = Objects.requireNonNull(stored(asking).get(OPERATION.EXPIRES_AT));

    for (long left : new long[] {20_000, 1_000, 1}) {
      clock.stopAt(end.minusMillis(left));
      assertThat(asking.claim(rival)).isEqualTo(new Claim.Busy(Duration.ofMillis(left)));
    }
    clock.stopAt(end);

    assertThat(asking.granted(rival).token().value()).isGreaterThan(dead.token().value());
  }

  @Test // case F13
  void tokens_rise_though_sequences_and_clock_went_back() {
    Asking asking = Asking.about("went-back");
    UndispatchedLease before = asking.granted(ledger);
    ledger.abandon(before);
    // as in a copy of the tables alone, on a machine whose clock is behind
    embedded.sql().execute("alter sequence receipt_numbers restart");
    clock.shift(Duration.ofDays(-365));

    SettleOutcome.Committed next = asking.committed(ledger);

    assertThat(next.receipt().token().value()).isGreaterThan(before.token().value());
    assertThat(ledger.release(next.permit())).isInstanceOf(ReleaseOutcome.Released.class);
  }

  @Test // case F7
  void a_row_cannot_be_deleted_by_hand() {
    Asking asking = Asking.about("kept", ResourceId.shared("kept"));
    asking.granted(ledger);

    for (String table : new String[] {"operation", "resource"}) {
      assertThatThrownBy(() -> embedded.sql().execute("delete from " + table))
          .hasMessageContaining("the ledger refuses");
    }
  }

  @Test // case F7
  void a_row_that_is_gone_all_the_same_releases_and_settles_nothing() throws SQLException {
    Asking done = Asking.about("gone-done");
    Asking held = Asking.about("gone-held");
    SettleOutcome.Committed committed = done.committed(ledger);
    Lease lease = held.dispatched(ledger);
    try (Connection superuser = embedded.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("set session_replication_role = replica");
      statement.execute("delete from operation where operation_id like 'export:gone%'");
    }

    assertThat(ledger.release(committed.permit())).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isEqualTo(new SettleOutcome.Quarantined());
    operation(held).isAbsent();
  }

  @Test // case F7
  void a_lease_that_was_taken_over_releases_nothing() {
    Asking asking = Asking.about("taken-over", ResourceId.shared("taken-over"));
    SettleOutcome.Committed committed = asking.committed(ledger);
    clock.shift(Asking.LEASE);
    UndispatchedLease other =
        Asking.about("takes-over", ResourceId.shared("taken-over")).granted(rival);

    assertThat(ledger.release(committed.permit())).isNotInstanceOf(ReleaseOutcome.Released.class);

    operation(Asking.about("takes-over")).wasLastClaimedBy(other).isNotReleased();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_operation_of_a_foreign_token_is_asked_about_and_not_resent(boolean dispatched) {
    ResourceId room = ResourceId.shared("foreign-" + dispatched);
    Asking overtaken =
        Asking.about("overtaken-" + dispatched, room).under(new OpenAttemptRule.AskFirst());
    UndispatchedLease lease = overtaken.granted(ledger);
    if (dispatched) {
      lease.dispatch();
    }
    clock.shift(Asking.LEASE);
    Asking foreign = Asking.about("foreign-" + dispatched, room);
    ledger.release(foreign.committed(rival).permit());
    // the resource is free again, and the operation's own row still says that it is in progress
    operation(overtaken).isInState(OperationState.IN_PROGRESS);

    assertThat(overtaken.claim(ledger))
        .isInstanceOfSatisfying(
            Claim.Reconcile.class,
            asked ->
                assertThat(asked.open())
                    .extracting(OpenAttempt::claimId)
                    .containsExactly(lease.claimId()));
  }

  @Test
  void preempted_on_the_resource_alone_it_is_picked_up_by_its_own_next_claim() {
    ResourceId room = ResourceId.shared("own-next");
    Asking overtaken = Asking.about("own-next", room);
    Lease lease = overtaken.dispatched(ledger);
    clock.shift(Asking.LEASE);
    ledger.release(Asking.about("in-between", room).committed(rival).permit());
    assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isNotInstanceOf(SettleOutcome.Committed.class);
    operation(overtaken).hasPendingEvidence(1).hasReceipts(0);

    assertThat(overtaken.claim(ledger)).isInstanceOf(Claim.Replay.class);

    operation(overtaken).isInState(OperationState.COMPLETED).hasReceipts(1).hasOpenAttempts(0);
  }
}
