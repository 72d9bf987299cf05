package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.Difference;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.generated.tables.Attempt;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Row;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClaimStatementTest {
  private final EmbeddedLedger embedded;
  private final Rows rows;
  private final JooqLedger ledger;

  ClaimStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.rows = Rows.of(embedded);
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  /** What any refusal owes: no byte of the row, and nothing of the log. */
  private void refuses(Asking asking, Claim expected) {
    StoredOperation before = stored(asking);
    // the first look at a page may write: not the refusal's doing
    assertThat(asking.claim(ledger)).isEqualTo(expected);

    long wal = Wal.writtenBy(embedded, () -> assertThat(asking.claim(ledger)).isEqualTo(expected));

    LedgerAssert.assertThat(stored(asking)).isUntouchedSince(before);
    assertThat(wal).isZero();
  }

  @Nested
  class Grants {
    @Test
    void a_first_claim_makes_the_row_its_own_lease() {
      Asking asking = Asking.about("fresh");

      UndispatchedLease lease = asking.granted(ledger);

      LedgerAssert.assertThat(stored(asking))
          .isInState(OperationState.IN_PROGRESS)
          .hasOpenAttempts(1)
          .wasLastClaimedBy(lease)
          .isNotReleased()
          .has(OPERATION.REVISION, 1L)
          .has(OPERATION.WORKFLOW_ID, "workflow")
          .has(OPERATION.GATE_RECEIPTS, null)
          .hasFormerAttempts(0);
    }

    @Test
    void the_first_token_is_the_clock_in_milliseconds() {
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        Instant now = clock.stop();

        UndispatchedLease lease = Asking.about("first-token").granted(ledger);

        assertThat(lease.token()).isEqualTo(new FencingToken(now.toEpochMilli()));
      }
    }

    @Test
    void every_later_token_is_higher_though_the_clock_stands_or_goes_back() {
      Asking asking = Asking.about("later-token");
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.stop();
        FencingToken first = abandoned(asking);
        FencingToken second = abandoned(asking);
        clock.shift(Duration.ofHours(-2));
        FencingToken third = abandoned(asking);

        assertThat(second.value()).isEqualTo(first.value() + 1);
        assertThat(third.value()).isEqualTo(second.value() + 1);
      }
    }

    @Test
    void a_later_token_rises_to_the_clock_so_that_none_comes_back_after_a_failover() {
      Asking asking = Asking.about("token-follows-clock");
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        abandoned(asking);
        clock.shift(Duration.ofMinutes(5));
        long now = clock.now().toEpochMilli();

        assertThat(abandoned(asking).value()).isGreaterThanOrEqualTo(now);
      }
    }

    private FencingToken abandoned(Asking asking) {
      UndispatchedLease lease = asking.granted(ledger);
      assertThat(ledger.abandon(lease)).isNotNull();
      return lease.token();
    }

    @Test // case C1
    void a_dead_lease_is_taken_over_and_its_attempt_is_kept_open() {
      Asking asking = Asking.about("dead");
      UndispatchedLease dead = asking.granted(ledger);
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.LEASE);

        UndispatchedLease next = asking.granted(ledger);

        assertThat(next.token().value()).isGreaterThan(dead.token().value());
        StoredOperation now = stored(asking);
        LedgerAssert.assertThat(now).hasOpenAttempts(2).hasFormerAttempts(1);
        assertThat(now.attempts().getFirst().get(Attempt.ATTEMPT.CLAIM_ID))
            .isEqualTo(dead.claimId().value());
      }
    }

    @Test
    void the_key_ages_from_the_first_attempt_that_is_still_open() {
      Asking asking = Asking.about("first-claimed");
      ledger.abandon(asking.granted(ledger));
      Instant closed = firstClaimed(asking);
      asking.granted(ledger);
      Instant open = firstClaimed(asking);
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.LEASE);
        UndispatchedLease again = asking.granted(ledger);

        assertThat(open).isAfter(closed);
        assertThat(firstClaimed(asking)).isEqualTo(open);
        assertThat(Objects.requireNonNull(again.lastDispatch()).rest())
            .isCloseTo(
                Asking.KEY_HORIZON.minusMinutes(1).minus(Asking.LEASE), Duration.ofSeconds(20));
      }
    }

    private Instant firstClaimed(Asking asking) {
      return Objects.requireNonNull(stored(asking).get(OPERATION.FIRST_CLAIMED_AT));
    }

    @Test
    void the_local_deadline_never_outlives_the_lease() {
      Asking asking = Asking.about("deadline");

      UndispatchedLease lease = asking.granted(ledger);

      Instant end = Objects.requireNonNull(stored(asking).get(OPERATION.EXPIRES_AT));
      Duration left = Duration.between(LedgerClock.of(embedded).now(), end);
      assertThat(lease.expiry().rest()).isLessThanOrEqualTo(left);
    }

    @Test // case C13
    void the_same_claim_id_is_never_granted_twice() {
      Asking asking = Asking.about("same-claim");
      ClaimRequest request = asking.request();
      assertThat(ledger.claim(request)).isInstanceOf(Claim.Granted.class);
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.LEASE);
        StoredOperation before = stored(asking);

        assertThat(ledger.claim(request)).isInstanceOf(Claim.Contended.class);

        LedgerAssert.assertThat(stored(asking)).isUntouchedSince(before);
      }
    }
  }

  @Nested
  class Refusals {
    @Test // case C5
    void a_live_lease_is_busy_for_as_long_as_it_has_left() {
      Asking asking = Asking.about("busy");
      asking.granted(ledger);
      StoredOperation before = stored(asking);

      Claim claim = asking.claim(ledger);

      assertThat(claim)
          .isInstanceOfSatisfying(
              Claim.Busy.class,
              busy -> assertThat(busy.retryAfter()).isPositive().isLessThanOrEqualTo(Asking.LEASE));
      long wal = Wal.writtenBy(embedded, () -> asking.claim(ledger));
      LedgerAssert.assertThat(stored(asking)).isUntouchedSince(before);
      assertThat(wal).isZero();
    }

    @ParameterizedTest // case A3
    @EnumSource(Found.class)
    void another_request_under_a_known_key_is_rejected(Found found) {
      Asking asking = Asking.about("a3-" + found);
      row(found, asking).insert();

      refuses(asking.withFingerprintOf("another"), new Claim.Rejected(Difference.FINGERPRINT));
    }

    @Test // case C11
    void the_scheme_belongs_to_the_fingerprint() {
      Asking asking = Asking.about("scheme");
      asking.granted(ledger);

      refuses(asking.withScheme("fp2"), new Claim.Rejected(Difference.FINGERPRINT));
    }

    @Test
    void generation_and_resource_are_compared_after_the_fingerprint() {
      Asking asking = Asking.about("other-parts");
      asking.granted(ledger);
      ResourceId room = ResourceId.shared("room");

      refuses(asking.inGeneration(1), new Claim.Rejected(Difference.GENERATION));
      refuses(asking.on(room), new Claim.Rejected(Difference.RESOURCE));
      refuses(asking.on(room).inGeneration(1), new Claim.Rejected(Difference.GENERATION));
      refuses(
          asking.on(room).inGeneration(1).withFingerprintOf("another"),
          new Claim.Rejected(Difference.FINGERPRINT));
    }

    @Test
    void a_failure_is_final() {
      Asking asking = Asking.about("failed");
      rows.failed(asking.reservation()).insert();

      Claim claim = asking.claim(ledger);

      assertThat(claim).isInstanceOf(Claim.AlreadyFailed.class);
      refuses(asking, claim);
    }

    @Test
    void a_conflict_waits_for_a_person() {
      Asking asking = Asking.about("conflict");
      rows.conflict(asking.reservation()).insert();

      refuses(asking, new Claim.Conflicted());
    }

    @Test
    void a_parked_operation_waits_for_a_person() {
      Asking asking = Asking.about("parked");
      rows.parked(asking.reservation(), "opaque").insert();

      refuses(asking, new Claim.Parked("opaque"));
    }

    @ParameterizedTest // case C3
    @ValueSource(strings = {"9999-12-31T00:00:00Z"})
    void a_far_deadline_is_held_and_never_an_orphan(Instant end) {
      Asking asking = Asking.about("far-" + end);
      rows.inProgress(asking.reservation()).with(OPERATION.EXPIRES_AT, end).insert();

      assertThat(asking.claim(ledger)).isInstanceOf(Claim.Busy.class);
    }
  }

  /** Where the row of case A3 stands when the changed request comes. */
  enum Found {
    IN_PROGRESS_LIVE,
    IN_PROGRESS_DEAD,
    COMPLETED,
    FAILED
  }

  private Row row(Found found, Asking asking) {
    return switch (found) {
      case IN_PROGRESS_LIVE -> rows.inProgress(asking.reservation());
      case IN_PROGRESS_DEAD -> rows.expired(asking.reservation());
      case COMPLETED -> rows.completed(asking.reservation());
      case FAILED -> rows.failed(asking.reservation());
    };
  }

  @Nested
  class Replays {
    @Test
    void a_released_receipt_is_replayed_by_reading_alone() {
      Asking asking = Asking.about("replay");
      SettleOutcome.Committed committed = asking.committed(ledger);
      ledger.release(committed.permit());

      refuses(asking, new Claim.Replay(committed.receipt().completion(), Asking.RESULT));
    }

    @Test
    void a_receipt_that_nobody_confirmed_is_confirmed_before_it_is_replayed() {
      Asking asking = Asking.about("unconfirmed");
      SettleOutcome.Committed committed = asking.committed(ledger);
      LedgerAssert.assertThat(stored(asking)).has(OPERATION.DURABLE_CONFIRMED_AT, null);

      Claim first = asking.claim(ledger);

      assertThat(first)
          .isEqualTo(new Claim.Replay(committed.receipt().completion(), Asking.RESULT));
      assertThat(stored(asking).get(OPERATION.DURABLE_CONFIRMED_AT)).isNotNull();
      refuses(asking, first);
    }
  }

  @Nested
  class Open_attempts {
    @Test
    void past_the_keys_horizon_nothing_is_sent_and_the_attempt_stays_open() {
      Asking asking = Asking.about("horizon");
      asking.granted(ledger);
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.KEY_HORIZON);

        assertThat(asking.claim(ledger)).isEqualTo(new Claim.Parked("key_horizon"));

        LedgerAssert.assertThat(stored(asking))
            .isInState(OperationState.UNKNOWN)
            .hasOpenAttempts(1)
            .hasObservations("lease_expired demoted");
        refuses(asking, new Claim.Parked("key_horizon"));
      }
    }

    @Test
    void with_nothing_open_the_horizon_does_not_matter() {
      Asking asking = Asking.about("nothing-open");
      ledger.abandon(asking.granted(ledger));
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.KEY_HORIZON);

        UndispatchedLease lease = asking.granted(ledger);

        assertThat(Objects.requireNonNull(lease.lastDispatch()).rest())
            .isCloseTo(Asking.KEY_HORIZON.minusMinutes(1), Duration.ofSeconds(20));
      }
    }

    @Test
    void a_transaction_that_was_rolled_back_may_always_be_tried_again() {
      Asking asking = Asking.about("rolled-back").under(new OpenAttemptRule.RolledBack());
      asking.granted(ledger);
      try (LedgerClock clock = LedgerClock.of(embedded)) {
        clock.shift(Asking.KEY_HORIZON.multipliedBy(40));

        assertThat(asking.granted(ledger).lastDispatch()).isNull();
      }
    }
  }
}
