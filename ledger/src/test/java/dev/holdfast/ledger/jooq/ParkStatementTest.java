package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where nobody else can tell what became of an attempt, a person is asked, and nobody twice. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParkStatementTest {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final Claim PARKED = new Claim.Parked("open_attempt");
  private static final AttemptEnd UNCLEAR = new AttemptEnd.Unclear("timed_out");

  private final EmbeddedLedger embedded;
  private final SettlementBed bed;
  private final JooqLedger ledger;
  private final Asking opaque =
      Asking.about("opaque-" + KEYS.incrementAndGet()).under(new OpenAttemptRule.ParkWhileOpen());

  ParkStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.bed = new SettlementBed(embedded);
    this.ledger = bed.jooq;
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  private StoredOperation stored() {
    return bed.stored(opaque.reservation());
  }

  private LedgerAssert assertStored() {
    return LedgerAssert.assertThat(stored());
  }

  @Test
  void an_open_attempt_of_an_opaque_upstream_parks_once_and_is_listed() {
    Lease lease = opaque.dispatched(ledger);
    bed.pass(Asking.LEASE);

    assertThat(opaque.claim(ledger)).isEqualTo(PARKED);

    StoredOperation parked = stored();
    LedgerAssert.assertThat(parked)
        .isParkedFor("open_attempt")
        .wasLastClaimedBy(lease)
        .hasOpenAttempts(1)
        .hasObservations("lease_expired demoted");
    assertThat(parked.get(OPERATION.ATTENTION_AT)).isNotNull();
    assertThat(opaque.claim(ledger)).isEqualTo(PARKED);
    assertThat(Wal.writtenBy(embedded, () -> opaque.claim(ledger))).isZero();
    assertStored().isUntouchedSince(parked);
  }

  @Test // H12
  void nothing_dispatched_parks_nothing() {
    ledger.abandon(opaque.granted(ledger));

    UndispatchedLease late = opaque.granted(ledger);
    bed.pass(Asking.LEASE);
    assertThat(opaque.claim(ledger)).isEqualTo(PARKED);

    assertThat(ledger.abandon(late)).isEqualTo(AbandonOutcome.ABANDONED);
    assertStored().hasOpenAttempts(0).has(OPERATION.ATTENTION_AT, null);
    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Granted.class);
  }

  @Test // H4
  void the_former_holders_evidence_is_still_its_own() {
    Lease lease = opaque.dispatched(ledger);
    bed.pass(Asking.LEASE);
    opaque.claim(ledger);

    assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.LeaseExpired.class);

    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Replay.class);
    assertStored().isInState(OperationState.COMPLETED).hasOpenAttempts(0).hasReceipts(1);
  }

  @Test
  void a_live_lease_is_busy_not_parked() {
    opaque.dispatched(ledger);

    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Busy.class);

    assertStored().isInState(OperationState.IN_PROGRESS).has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void a_key_past_its_horizon_parks_where_nothing_can_ask() {
    Asking keyed =
        opaque.under(
            new OpenAttemptRule.SameKeyAgain(
                Asking.KEY_HORIZON, Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen()));
    keyed.dispatched(ledger);
    bed.pass(Asking.KEY_HORIZON);

    assertThat(keyed.claim(ledger)).isEqualTo(new Claim.Parked("key_horizon"));

    assertStored().isParkedFor("key_horizon").hasOpenAttempts(1);
  }

  @Test
  void parked_stays_parked_under_a_milder_rule() {
    ledger.end(opaque.dispatched(ledger), UNCLEAR);
    opaque.claim(ledger);

    assertThat(opaque.under(new OpenAttemptRule.AskFirst()).claim(ledger)).isEqualTo(PARKED);
    assertThat(opaque.under(new OpenAttemptRule.RolledBack()).claim(ledger)).isEqualTo(PARKED);
  }

  @Test
  void a_clock_that_went_back_opens_no_parked_door() {
    ledger.end(opaque.dispatched(ledger), UNCLEAR);
    bed.pass(Asking.KEY_HORIZON.negated());

    assertThat(opaque.claim(ledger)).isEqualTo(PARKED);
  }

  @Test
  void who_parks_holds_nobody_up() throws Exception {
    opaque.dispatched(ledger);
    bed.pass(Asking.LEASE);
    JooqLedger hasty =
        JooqLedger.open(
            embedded.dataSource(),
            LedgerOptions.standard().answeringWithin(Duration.ofMillis(400)));
    StoredOperation before = stored();

    try (RowLock lock = RowLock.on(embedded, opaque.reservation())) {
      assertThatThrownBy(() -> opaque.claim(hasty))
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("55P03");
      lock.rollback();
    }

    assertStored().isUntouchedSince(before);
    assertThat(opaque.claim(hasty)).isEqualTo(PARKED);
  }

  /** It was parked for what a claim in between has made untrue. */
  @Test
  void what_was_claimed_since_it_was_judged_is_not_parked_for_it() throws Exception {
    Asking keyed =
        opaque.under(
            new OpenAttemptRule.SameKeyAgain(
                Asking.KEY_HORIZON, Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen()));
    keyed.dispatched(ledger);
    bed.pass(Asking.KEY_HORIZON);

    try (RowLock rival =
        RowLock.after(
            embedded,
            keyed.reservation(),
            "update operation set fencing_token = fencing_token + 1, revision = revision + 1,"
                + " first_claimed_at = ledger_clock() where scope = ? and operation_id = ?")) {
      Future<Claim> claim = Contenders.background(() -> keyed.claim(ledger));
      rival.awaitWaiters(1);
      rival.commit();

      assertThat(claim.get()).isInstanceOf(Claim.Granted.class);
    }
    assertStored().has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void on_a_resource_that_was_passed_on_it_parks_when_the_resource_is_free() {
    ResourceId room = ResourceId.shared("parking-room");
    Asking overtaken =
        Asking.about("parked-in-room", room).under(new OpenAttemptRule.ParkWhileOpen());
    overtaken.dispatched(ledger);
    embedded.sql().execute("update resource set expires_at = ledger_clock()");
    SettleOutcome.Committed next = Asking.about("next-to-parked", room).committed(ledger);
    assertThat(overtaken.claim(ledger)).isInstanceOf(Claim.Busy.class);

    ledger.release(next.permit());

    assertThat(overtaken.claim(ledger)).isEqualTo(PARKED);
    LedgerAssert.assertThat(bed.stored(overtaken.reservation())).isParkedFor("open_attempt");
    assertThat(Asking.about("third-beside-parked", room).claim(ledger))
        .isInstanceOf(Claim.Granted.class);
  }
}
