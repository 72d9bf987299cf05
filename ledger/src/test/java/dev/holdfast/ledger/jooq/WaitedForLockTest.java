package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.Difference;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Time passes while a statement waits: the clock that counts is the one behind the lock. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitedForLockTest {
  private static final Duration WAITED = Duration.ofSeconds(20);

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  WaitedForLockTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  /** A clock that a statement under way sees move: it looks the shift up at every reading. */
  @BeforeEach
  void letTheClockMoveWithinAStatement() {
    embedded.sql().execute("create table clock_shift (by interval not null)");
    embedded.sql().execute("insert into clock_shift values (interval '0')");
    embedded
        .sql()
        .execute(
            "create or replace function ledger_clock() returns timestamptz language plpgsql"
                + " volatile as $$ begin return clock_timestamp() + (select by from"
                + " holdfast.clock_shift); end $$");
  }

  @AfterEach
  void restoreTheClock() {
    LedgerClock.of(embedded).close();
    embedded.sql().execute("drop table clock_shift");
  }

  private void pass(Duration time) {
    embedded
        .sql()
        .execute("update clock_shift set by = by + make_interval(secs => ?)", time.toSeconds());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  private Duration left(Asking asking) {
    Instant now =
        Objects.requireNonNull(
            embedded.sql().fetchSingle("select ledger_clock()").get(0, Instant.class));
    Instant end = Objects.requireNonNull(stored(asking).get(OPERATION.EXPIRES_AT));
    return Duration.between(now, end);
  }

  @Test // case G1
  void a_lease_that_was_waited_for_still_has_its_time() throws Exception {
    Asking asking = Asking.about("g1");
    Rows.of(embedded).expired(asking.reservation()).insert();
    try (RowLock lock = RowLock.on(embedded, asking.reservation())) {
      Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
      lock.awaitWaiters(1);
      pass(WAITED);
      lock.commit();

      assertThat(claim.get()).isInstanceOf(Claim.Granted.class);
    }
    assertThat(left(asking)).isBetween(Asking.LEASE.minusSeconds(5), Asking.LEASE);
  }

  @Test // case A3
  void a_changed_request_that_waited_for_the_first_one_is_rejected() throws Exception {
    Asking asking = Asking.about("a3-waited");
    Asking changed = asking.withFingerprintOf("another");
    Reservation first = asking.reservation();
    Rows.of(embedded).expired(first).insert();
    try (RowLock lock =
        RowLock.after(
            embedded,
            first,
            "update operation set expires_at = ledger_clock() + interval '1 hour'"
                + " where scope = ? and operation_id = ?")) {
      Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
      lock.awaitWaiters(1);
      lock.commit();

      assertThat(claim.get()).isInstanceOf(Claim.Busy.class);
    }
    StoredOperation before = stored(asking);

    assertThat(changed.claim(ledger)).isEqualTo(new Claim.Rejected(Difference.FINGERPRINT));

    LedgerAssert.assertThat(stored(asking)).isUntouchedSince(before);
  }

  @Test
  void a_settlement_is_judged_behind_the_lock_it_waited_for() throws Exception {
    Asking asking = Asking.about("judged-behind");
    Lease lease = asking.dispatched(ledger);
    try (RowLock lock = RowLock.on(embedded, asking.reservation())) {
      Future<SettleOutcome> outcome =
          Contenders.background(() -> ledger.settle(lease, Asking.response(), Asking.RESULT));
      lock.awaitWaiters(1);
      pass(Asking.LEASE);
      lock.commit();

      assertThat(outcome.get()).isInstanceOf(SettleOutcome.LeaseExpired.class);
    }
    LedgerAssert.assertThat(stored(asking)).hasReceipts(0).hasPendingEvidence(1);
  }

  @Test // case I3
  void who_waits_for_a_first_claim_that_is_undone_gets_the_operation() throws Exception {
    Asking asking = Asking.about("undone");
    try (RowLock first = RowLock.after(embedded, asking.reservation(), FIRST_CLAIM)) {
      Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
      first.awaitWaiters(1);
      first.rollback();

      assertThat(claim.get()).isInstanceOf(Claim.Granted.class);
    }
  }

  @Test // case A3
  void who_waits_for_another_first_claim_that_commits_is_compared_with_it() throws Exception {
    Asking asking = Asking.about("committed-first");
    try (RowLock first = RowLock.after(embedded, asking.reservation(), FIRST_CLAIM)) {
      Future<Claim> claim = Contenders.background(() -> asking.claim(ledger));
      first.awaitWaiters(1);
      first.commit();

      assertThat(claim.get()).isEqualTo(new Claim.Rejected(Difference.FINGERPRINT));
    }
    assertThat(ledger.staleSnapshots()).isPositive();
  }

  /** Under another fingerprint. */
  private static final String FIRST_CLAIM =
      "insert into operation (scope, operation_id, fingerprint_scheme, fingerprint_sha256,"
          + " generation, resource_id, epoch, state, revision, open_attempts, pending_evidence,"
          + " fencing_token, claim_id, worker, expires_at, released, namespace, attempt_number,"
          + " claimed_at, first_claimed_at, dispatch_deadline_at, horizon_at)"
          + " select s, o, 'fp1', sha256('rival'), 0, o, 0, 'in_progress', 1, 1, 0, 1,"
          + " gen_random_uuid(), 'rival', ledger_clock() + interval '1 hour', false, 'default', 1,"
          + " ledger_clock(), ledger_clock(), ledger_clock(), ledger_clock()"
          + " from (values (?::varchar, ?::varchar)) as key (s, o)";
}
