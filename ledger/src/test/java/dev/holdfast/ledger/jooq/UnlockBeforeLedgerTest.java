package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hazard 1 of the seed: the lock is given up before the ledger has the effect. */
class UnlockBeforeLedgerTest extends LossBed {

  UnlockBeforeLedgerTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  /** A permit that no receipt stands behind: what the types refuse to everybody else. */
  private static final class Forger extends Issuer {
    static ReleasePermit permit(Lease lease) {
      Reservation reservation = lease.reservation();
      Completion never =
          new Completion(
              reservation.scope(),
              reservation.operation(),
              reservation.fingerprint(),
              reservation.generation(),
              lease.epoch(),
              Asking.response().effect(),
              new ReceiptNumber(1),
              new LedgerPosition("1", 1));
      Receipt receipt =
          new Receipt(
              never,
              reservation.resource(),
              lease.token(),
              lease.claimId(),
              Asking.response().digest(),
              Instant.now(),
              Duration.ofSeconds(20));
      return permit(lease, receipt, System.nanoTime());
    }
  }

  @Test
  void a_successor_is_kept_off_until_the_receipt_is_there() {
    ResourceId room = ResourceId.shared("kept-off");
    Lease lease = Asking.about("first", room).dispatched(ledger);
    Asking next = Asking.about("next", room);

    assertThat(next.claim(rival)).isInstanceOf(Claim.Busy.class);
    assertThat(ledger.release(Forger.permit(lease))).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(next.claim(rival)).isInstanceOf(Claim.Busy.class);
    SettleOutcome.Committed committed = Asking.committed(ledger, lease);
    assertThat(next.claim(rival)).isInstanceOf(Claim.Busy.class);
    ledger.release(committed.permit());

    next.granted(rival);
  }

  @Test
  void without_its_guards_the_lease_is_given_up_before_the_ledger_knows() {
    try (EmbeddedLedger defenceless = EmbeddedLedger.fresh()) {
      Unguarded without =
          Unguarded.over(defenceless.dataSource())
              .without("\"o\".\"state\" = 'completed'")
              .without("\"o\".\"receipt_number\" = ?")
              .with("\"committed_at\" <= \"judged_at\"", "true");
      JooqLedger unguarded = without.ledger();
      ResourceId room = ResourceId.shared("given-up");
      Lease lease = Asking.about("first", room).dispatched(unguarded);
      Asking next = Asking.about("next", room);

      // the database's own guard is the second one
      assertThatThrownBy(() -> unguarded.release(Forger.permit(lease)))
          .hasMessageContaining("23514");
      assertThat(next.claim(unguarded)).isInstanceOf(Claim.Busy.class);
      defenceless.sql().execute("drop trigger operation_sound on operation");

      assertThat(unguarded.release(Forger.permit(lease)))
          .isInstanceOf(ReleaseOutcome.Released.class);
      assertThat(without.isMet()).isTrue();
      next.granted(unguarded);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_successor_sees_the_receipt_at_acquisition(boolean shared) throws Exception {
    Asking asking =
        shared ? Asking.about("seen-shared", ResourceId.shared("seen")) : Asking.about("seen");
    Lease lease = asking.dispatched(ledger);
    lose(SETTLE, LOSE_REQUEST);
    // the read-back's COMMIT is the first
    CountDownLatch commit = hold(2, COMMIT);
    Future<SettleOutcome> settling =
        Contenders.background(() -> ledger.settle(lease, Asking.response(), Asking.RESULT));
    awaitDisturbance();
    clock.shift(Asking.LEASE);
    Future<Claim> successor = Contenders.background(() -> asking.claim(rival));
    await().until(this::somebodyWaits);
    commit.countDown();

    assertThat(successor.get()).isInstanceOf(Claim.Replay.class);
    committed(settling.get());
    operation(asking).isInState(OperationState.COMPLETED).hasReceipts(1).hasFormerAttempts(0);
  }

  private boolean somebodyWaits() {
    return embedded
        .sql()
        .fetchSingle(
            "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
                + " and datname = current_database()")
        .get(0, Boolean.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoever_comes_while_it_is_settled_is_busy_or_sees_the_receipt(boolean released)
      throws Exception {
    int rounds = 50;
    JooqLedger pooled = JooqLedger.open(embedded.pool(4), LedgerOptions.standard());
    List<List<Claim>> answers =
        Contenders.race(
            2,
            rounds,
            (contender, round) -> {
              Asking asking = Asking.about("race-" + released + round);
              return contender == 0
                  ? settled(pooled, asking, released)
                  : untilNotBusy(pooled, asking);
            });

    assertThat(answers)
        .allSatisfy(round -> assertThat(round).allMatch(Claim.Replay.class::isInstance));
  }

  /** Its own claim again, which is a replay. */
  private static Claim settled(JooqLedger pooled, Asking asking, boolean released) {
    Claim claim = asking.claim(pooled);
    if (claim instanceof Claim.Granted granted) {
      SettleOutcome.Committed committed = Asking.committed(pooled, granted.lease().dispatch());
      if (released) {
        pooled.release(committed.permit());
      }
    }
    return untilNotBusy(pooled, asking);
  }

  private static Claim untilNotBusy(JooqLedger pooled, Asking asking) {
    Claim claim = asking.claim(pooled);
    while (claim instanceof Claim.Busy) {
      claim = asking.claim(pooled);
    }
    // whoever was first does the work
    if (claim instanceof Claim.Granted granted) {
      Asking.committed(pooled, granted.lease().dispatch());
      return asking.claim(pooled);
    }
    return claim;
  }

  @Test
  void an_aborted_pre_check_releases_at_once() {
    Asking asking = Asking.about("aborted");

    assertThat(ledger.abandon(asking.granted(ledger))).isEqualTo(AbandonOutcome.ABANDONED);

    operation(asking)
        .isInState(OperationState.UNKNOWN)
        .isReleased()
        .hasOpenAttempts(0)
        .hasReceipts(0);
    asking.granted(rival);
  }

  @Test
  void pure_reads_write_nothing() {
    Asking open = Asking.about("read-open");
    open.granted(ledger);
    Asking done = Asking.about("read-done");
    ledger.release(done.committed(ledger).permit());

    assertThat(
            Wal.writtenBy(
                embedded,
                () -> {
                  for (Asking one : List.of(open, done, Asking.about("read-absent"))) {
                    ledger.read(one.reservation().scope(), one.reservation().operation());
                  }
                  done.claim(ledger);
                  open.claim(ledger);
                  ledger.acts().list(AwaitingQuery.all());
                  ledger.acts().show(open.reservation().scope(), open.reservation().operation());
                }))
        .isZero();
  }
}
