package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nobody hears that an outcome is out of reach while the receipt is being committed. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MovedMeanwhileTest {
  private static final Duration PAST_THE_HORIZON = Asking.KEY_HORIZON.plusHours(1);

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;
  private final LedgerClock clock;
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  MovedMeanwhileTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(4), LedgerOptions.standard());
    this.clock = LedgerClock.of(embedded);
  }

  @AfterEach
  void restoreTheClock() {
    callers.shutdown();
    clock.close();
  }

  @Test
  void a_settlement_under_way_past_the_keys_horizon_is_replayed() throws Exception {
    Asking asking = Asking.about("settled-meanwhile");
    Lease lease = asking.dispatched(ledger);

    Claim claim =
        claimDuringCommit(
            asking,
            other ->
                () -> {
                  SettleOutcome outcome =
                      other.settleInTransaction(
                          lease, connection -> new Effected(Asking.response(), Asking.RESULT));
                  assertThat(outcome).isInstanceOf(SettleOutcome.Committed.class);
                  return outcome;
                });

    assertThat(claim).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void evidence_that_a_rival_picks_up_past_the_keys_horizon_is_replayed() throws Exception {
    Asking asking = Asking.about("picked-up-meanwhile");
    asking.dispatched(ledger);
    clock.shift(Asking.LEASE);
    Lease former = asking.dispatched(ledger);
    clock.shift(Asking.LEASE.multipliedBy(2));
    assertThat(ledger.settle(former, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.LeaseExpired.class);
    clock.shift(PAST_THE_HORIZON);

    Claim claim = claimDuringCommit(asking, other -> () -> asking.claim(other));

    assertThat(claim).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_settlement_that_commits_while_parking_waits_is_replayed() throws Exception {
    Asking opaque =
        Asking.about("settled-while-parking").under(new OpenAttemptRule.ParkWhileOpen());
    Lease lease = opaque.dispatched(ledger);

    Claim claim =
        claimDuringCommit(
            opaque,
            other ->
                () ->
                    other.settleInTransaction(
                        lease, connection -> new Effected(Asking.response(), Asking.RESULT)));

    assertThat(claim).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void evidence_stored_while_parking_waits_is_picked_up() throws Exception {
    Asking opaque = Asking.about("stored-while-parking").under(new OpenAttemptRule.ParkWhileOpen());
    Lease lease = opaque.dispatched(ledger);
    clock.shift(Asking.LEASE);

    Claim claim =
        claimDuringCommit(
            opaque, other -> () -> other.settle(lease, Asking.response(), Asking.RESULT));

    assertThat(claim).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void an_operation_whose_resource_was_passed_on_is_past_its_horizon_once_the_resource_is_free() {
    ResourceId printer = ResourceId.shared("printer");
    Asking asking = Asking.about("overtaken-on-resource", printer);
    asking.dispatched(ledger);
    embedded.sql().execute("update resource set expires_at = ledger_clock()");
    ledger.release(
        Asking.committed(ledger, Asking.about("next", printer).dispatched(ledger)).permit());
    embedded
        .sql()
        .execute(
            "update operation set revision = revision + 1, first_claimed_at = ledger_clock() -"
                + " interval '2 days' where operation_id = 'export:overtaken-on-resource'");

    assertThat(asking.claim(ledger)).isEqualTo(new Claim.Parked("key_horizon"));
    LedgerAssert.assertThat(StoredOperation.of(embedded, asking.reservation()))
        .isInState(OperationState.UNKNOWN);
  }

  private interface Rival {
    Callable<?> of(JooqLedger other);
  }

  /** Claims while a rival has everything but its commit, which arrives when the claim waits. */
  private Claim claimDuringCommit(Asking asking, Rival rival) throws Exception {
    CountDownLatch arrives = new CountDownLatch(1);
    try (CountingProxy proxy = CountingProxy.before(embedded)) {
      JooqLedger other = JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard());
      proxy.reset();
      proxy.disturbNext(
          trip -> trip.statements().stream().anyMatch("commit"::equalsIgnoreCase),
          new Disturbance.HoldRequest(arrives));
      Future<?> committing = callers.submit(rival.of(other));
      await().until(proxy::isSpent);
      clock.shift(PAST_THE_HORIZON);
      Future<Claim> claim = callers.submit(() -> asking.claim(ledger));
      await().until(this::somebodyWaits);
      arrives.countDown();
      committing.get();
      return claim.get();
    }
  }

  private boolean somebodyWaits() {
    return embedded
        .sql()
        .fetchSingle(
            "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
                + " and datname = current_database()")
        .get(0, Boolean.class);
  }
}
