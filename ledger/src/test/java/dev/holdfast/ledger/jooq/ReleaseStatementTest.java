package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReleaseStatementTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  ReleaseStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  @Test
  void the_lease_is_given_up_and_the_digest_kept() {
    Asking asking = Asking.about("released");
    SettleOutcome.Committed committed = asking.committed(ledger);

    ReleaseOutcome outcome = ledger.release(committed.permit());

    assertThat(outcome)
        .isInstanceOfSatisfying(
            ReleaseOutcome.Released.class,
            released ->
                assertThat(stored(asking).get(OPERATION.RELEASE_SHA256))
                    .isEqualTo(released.releaseDigest().bytes()));
    LedgerAssert.assertThat(stored(asking)).isReleased().has(OPERATION.REVISION, 2L);
    assertThat(stored(asking).get(OPERATION.DURABLE_CONFIRMED_AT)).isNotNull();
  }

  @Test // case F7
  void a_second_release_is_reported_and_changes_nothing() {
    Asking asking = Asking.about("twice");
    SettleOutcome.Committed committed = asking.committed(ledger);
    ledger.release(committed.permit());
    StoredOperation before = stored(asking);

    assertThat(ledger.release(committed.permit())).isEqualTo(new ReleaseOutcome.NotHeld());

    LedgerAssert.assertThat(stored(asking)).isUntouchedSince(before);
  }

  @Test
  void a_lease_that_ran_out_in_the_database_is_not_held() {
    Asking asking = Asking.about("over");
    SettleOutcome.Committed committed = asking.committed(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);

      assertThat(ledger.release(committed.permit())).isEqualTo(new ReleaseOutcome.NotHeld());
    }
    LedgerAssert.assertThat(stored(asking)).isNotReleased();
  }

  @Test
  void a_clock_that_went_back_leaves_the_lease_to_run_out() {
    Asking asking = Asking.about("clock-back");
    SettleOutcome.Committed committed = asking.committed(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Duration.ofMinutes(-1));

      assertThat(ledger.release(committed.permit()))
          .isEqualTo(new ReleaseOutcome.Refused("commit_in_the_future"));
    }
    LedgerAssert.assertThat(stored(asking)).isNotReleased().hasReceipts(1);
  }

  @Test
  void a_thin_margin_leaves_the_lease_to_run_out() {
    Asking asking = Asking.about("thin");
    SettleOutcome.Committed committed = asking.committed(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.stopAt(
          Objects.requireNonNull(stored(asking).get(OPERATION.EXPIRES_AT)).minusMillis(49));

      assertThat(ledger.release(committed.permit()))
          .isEqualTo(new ReleaseOutcome.Refused("margin_too_thin"));
    }
    LedgerAssert.assertThat(stored(asking)).isNotReleased();
  }

  @Test
  void the_gate_refuses_before_a_statement_is_sent_where_this_process_sees_no_margin() {
    SettleOutcome.Committed committed =
        Asking.about("locally-thin").leasing(Duration.ofSeconds(2)).committed(ledger);
    await().until(() -> committed.permit().expiry().isPast());

    assertThat(ledger.release(committed.permit()))
        .isEqualTo(new ReleaseOutcome.Refused("margin_too_thin"));
  }
}
