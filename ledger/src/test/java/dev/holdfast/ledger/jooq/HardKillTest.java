package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.BINDING_CHANGE;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.OwnServer;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * A server whose sessions do not wait for their commits, and that is killed: what stands in no file
 * is lost. The writer of such commits wakes every ten seconds only.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HardKillTest {
  private static OwnServer server;

  @BeforeAll
  static void start() {
    server =
        OwnServer.started(
            Map.of(
                "synchronous_commit", "off",
                "wal_writer_delay", "10s",
                "wal_writer_flush_after", "64MB"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JooqLedger open() {
    return JooqLedger.open(server.ledger().dataSource(), LedgerOptions.standard());
  }

  private static LedgerAssert operation(Asking asking) {
    return LedgerAssert.assertThat(StoredOperation.of(server.ledger(), asking.reservation()));
  }

  private static void killAndRestart() {
    server.killHard();
    server.restart();
  }

  @Test // hazard 4
  void what_was_released_is_still_there() {
    Asking asking = Asking.about("released");
    JooqLedger ledger = open();
    SettleOutcome.Committed committed = asking.committed(ledger);
    assertThat(ledger.release(committed.permit())).isInstanceOf(ReleaseOutcome.Released.class);

    killAndRestart();

    operation(asking).isCompletedWith(committed.receipt().responseDigest()).hasReceipts(1);
    assertThat(asking.claim(open()))
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> assertThat(replay.completion()).isEqualTo(committed.receipt().completion()));
  }

  @Test
  void a_commit_that_nobody_waited_for_is_lost() {
    // its writer may just wake between commit and kill: not five times
    boolean lost = false;
    for (int round = 0; round < 5 && !lost; round++) {
      DSLContext sql = server.ledger().sql();
      sql.execute(
          "insert into binding_change values"
              + " ('tenant', ?, 1, gen_random_uuid(), 'actor', 'reason', ledger_clock())",
          "name-" + round);
      killAndRestart();
      lost = sql.fetchCount(BINDING_CHANGE, BINDING_CHANGE.NAME.eq("name-" + round)) == 0;
    }
    assertThat(lost).isTrue();
  }

  @Test // hole H17
  void a_granted_claim_is_still_there() {
    Asking asking = Asking.about("granted");
    UndispatchedLease lease = asking.granted(open());

    killAndRestart();

    operation(asking).wasLastClaimedBy(lease).hasOpenAttempts(1);
    assertThat(asking.claim(open())).isInstanceOf(Claim.Busy.class);
    Asking.committed(open(), lease.dispatch());
  }

  @Test // hazard 4
  void a_release_that_is_lost_leaves_a_replay() {
    Asking asking = Asking.about("release-lost");
    JooqLedger ledger = open();
    ledger.release(asking.committed(ledger).permit());

    killAndRestart();

    assertThat(asking.claim(open())).isInstanceOf(Claim.Replay.class);
    operation(asking).isInState(OperationState.COMPLETED).hasReceipts(1);
  }

  @Test
  void after_a_read_back_the_release_is_waited_for() {
    Asking asking = Asking.about("read-back");
    try (CountingProxy proxy = CountingProxy.before(server.ledger())) {
      JooqLedger ledger =
          JooqLedger.open(server.ledger().dataSource(proxy), LedgerOptions.standard());
      Lease lease = asking.dispatched(ledger);
      proxy.disturbNext(LossBed.SETTLE, LossBed.LOSE_ANSWER);
      SettleOutcome.Committed found = Asking.committed(ledger, lease);
      assertThat(ledger.release(found.permit())).isInstanceOf(ReleaseOutcome.Released.class);
    }

    killAndRestart();

    operation(asking).isInState(OperationState.COMPLETED).isReleased().hasReceipts(1);
  }

  @Test
  void a_failure_is_still_there() {
    Asking asking = Asking.about("failed");
    JooqLedger ledger = open();
    ledger.end(asking.dispatched(ledger), ResolverBed.FAILED);

    killAndRestart();

    assertThat(asking.claim(open())).isInstanceOf(Claim.AlreadyFailed.class);
  }

  @Test
  void a_receipt_that_was_not_confirmed_is_confirmed_before_it_is_replayed() {
    Asking asking = Asking.about("unconfirmed");
    asking.committed(open());
    killAndRestart();
    operation(asking).has(OPERATION.DURABLE_CONFIRMED_AT, null);

    assertThat(asking.claim(open())).isInstanceOf(Claim.Replay.class);
    killAndRestart();

    assertThat(
            StoredOperation.of(server.ledger(), asking.reservation())
                .get(OPERATION.DURABLE_CONFIRMED_AT))
        .isNotNull();
  }

  @Test // case F5
  void the_next_token_is_higher_after_a_fast_an_immediate_and_a_hard_end() {
    Asking asking = Asking.about("tokens").leasing(Duration.ofMillis(1));
    FencingToken before = asking.granted(open()).token();
    List<Runnable> ends =
        List.of(
            server::restart,
            () -> {
              server.stopImmediately();
              server.restart();
            },
            HardKillTest::killAndRestart);
    for (Runnable end : ends) {
      end.run();
      FencingToken next = asking.granted(open()).token();
      assertThat(next.value()).isGreaterThan(before.value());
      before = next;
    }
  }
}
