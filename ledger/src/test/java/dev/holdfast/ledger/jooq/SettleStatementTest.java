package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jooq.Record;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettleStatementTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  SettleStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  @Test
  void a_verified_success_completes_the_operation_and_writes_its_receipt() {
    Asking asking = Asking.about("settled");

    Receipt receipt = asking.committed(ledger).receipt();

    StoredOperation now = stored(asking);
    LedgerAssert.assertThat(now)
        .isCompletedWith(Asking.response().digest())
        .hasOpenAttempts(0)
        .hasReceipts(1)
        .isNotReleased()
        .has(OPERATION.REVISION, 2L)
        .has(OPERATION.DURABLE_CONFIRMED_AT, null);
    Record written = now.receipts().getFirst();
    assertThat(written.get(RECEIPT.RECEIPT_NUMBER))
        .isEqualTo(receipt.completion().receipt().value());
    assertThat(written.get(RECEIPT.FENCING_TOKEN)).isEqualTo(receipt.token().value());
    assertThat(written.get(RECEIPT.CLAIM_ID)).isEqualTo(receipt.claimId().value());
    assertThat(written.get(RECEIPT.COMMITTED_AT)).isEqualTo(receipt.committedAt());
    assertThat(written.get(RECEIPT.MARGIN_LEFT_MS)).isEqualTo(receipt.marginLeft().toMillis());
    assertThat(written.get(RECEIPT.SOURCE)).isEqualTo("witnessed");
    assertThat(written.get(RECEIPT.TIMELINE)).isEqualTo(receipt.completion().position().timeline());
  }

  @Test
  void the_receipt_says_under_which_settings_it_was_committed_though_the_session_asks_for_less() {
    PGSimpleDataSource lax = embedded.dataSource();
    lax.setOptions("-c synchronous_commit=off");
    Asking asking = Asking.about("lax");

    asking.committed(JooqLedger.open(lax, LedgerOptions.standard()));

    Record written = stored(asking).receipts().getFirst();
    assertThat(written.get(RECEIPT.SYNCHRONOUS_COMMIT)).isEqualTo("on");
    assertThat(written.get(RECEIPT.FSYNC)).isEqualTo("on");
    assertThat(written.get(RECEIPT.FULL_PAGE_WRITES)).isEqualTo("on");
  }

  @Test
  void a_session_that_asks_for_more_keeps_it() {
    PGSimpleDataSource strict = embedded.dataSource();
    strict.setOptions("-c synchronous_commit=remote_apply");
    Asking asking = Asking.about("strict");

    asking.committed(JooqLedger.open(strict, LedgerOptions.standard()));

    assertThat(stored(asking).receipts().getFirst().get(RECEIPT.SYNCHRONOUS_COMMIT))
        .isEqualTo("remote_apply");
  }

  static Stream<StoredResult> results() {
    return Stream.of(
        new StoredResult.Value(new byte[0]),
        new StoredResult.Value(new byte[] {0, 1, 0}),
        new StoredResult.Null(),
        new StoredResult.NoValue(),
        new StoredResult.NotStored(Asking.response().digest()));
  }

  @ParameterizedTest // case B1, case I21
  @MethodSource("results")
  void every_kind_of_result_comes_back_as_it_was(StoredResult result) {
    Asking asking = Asking.about("result-" + result.getClass().getSimpleName() + result.hashCode());
    ledger.settle(asking.dispatched(ledger), Asking.response(), result);

    assertThat(asking.claim(ledger))
        .isInstanceOfSatisfying(
            Claim.Replay.class, replay -> assertThat(replay.result()).isEqualTo(result));
  }

  @Test
  void exactly_the_margin_is_enough() {
    Asking asking = Asking.about("exact").keeping(Duration.ofSeconds(10));
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.stop();
      Lease lease = asking.dispatched(ledger);
      clock.stopAt(clock.now().plus(Duration.ofSeconds(20)));

      assertThat(Asking.committed(ledger, lease).receipt().marginLeft())
          .isEqualTo(Duration.ofSeconds(10));
    }
  }

  @Test
  void a_thin_margin_stores_nothing_and_a_renewal_mends_it() {
    Asking asking = Asking.about("thin").keeping(Duration.ofSeconds(10));
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.stop();
      Lease lease = asking.dispatched(ledger);
      clock.stopAt(clock.now().plus(Duration.ofSeconds(20)).plusNanos(1_000));
      StoredOperation before = stored(asking);

      SettleOutcome thin = ledger.settle(lease, Asking.response(), Asking.RESULT);

      assertThat(thin)
          .isEqualTo(new SettleOutcome.MarginTooThin(Duration.ofSeconds(10).minusNanos(1_000)));
      LedgerAssert.assertThat(stored(asking)).hasReceipts(0).hasObservations();
      assertThat(stored(asking).get(OPERATION.REVISION)).isEqualTo(before.get(OPERATION.REVISION));
      ledger.renew(List.of(lease), Asking.LEASE);
      Asking.committed(ledger, lease);
    }
  }

  @Test // case F1
  void a_lease_that_ran_out_keeps_its_evidence_and_the_next_claim_replays_it() {
    Asking asking = Asking.about("ran-out");
    Lease lease = asking.dispatched(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);

      assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
          .isInstanceOf(SettleOutcome.LeaseExpired.class);

      LedgerAssert.assertThat(stored(asking))
          .isInState(OperationState.IN_PROGRESS)
          .hasPendingEvidence(1);
      assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);
      LedgerAssert.assertThat(stored(asking)).isCompletedWith(Asking.response().digest());
    }
  }

  @Test
  void a_preempted_holder_commits_nothing() {
    Asking asking = Asking.about("preempted");
    Lease lease = asking.dispatched(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);
      Lease rival = asking.dispatched(ledger);

      assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
          .isInstanceOf(SettleOutcome.Preempted.class);

      LedgerAssert.assertThat(stored(asking))
          .isInState(OperationState.IN_PROGRESS)
          .wasLastClaimedBy(rival)
          .hasReceipts(0);
    }
  }

  @Test
  void a_second_settlement_finds_its_own_receipt() {
    Asking asking = Asking.about("twice");
    Lease lease = asking.dispatched(ledger);
    SettleOutcome.Committed first = Asking.committed(ledger, lease);

    assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isInstanceOfSatisfying(
            SettleOutcome.Committed.class,
            again -> assertThat(again.receipt()).isEqualTo(first.receipt()));
    LedgerAssert.assertThat(stored(asking)).hasReceipts(1);
  }

  @Test
  void a_settlement_that_waits_behind_a_renewal_commits() throws Exception {
    Asking asking = Asking.about("behind-renewal");
    Lease lease = asking.dispatched(ledger);
    String renewal =
        "update operation set expires_at = expires_at + interval '1 second'"
            + " where scope = ? and operation_id = ?";
    try (RowLock renewing = RowLock.after(embedded, asking.reservation(), renewal)) {
      Future<SettleOutcome> outcome =
          Contenders.background(() -> ledger.settle(lease, Asking.response(), Asking.RESULT));
      renewing.awaitWaiters(1);
      renewing.commit();

      assertThat(outcome.get()).isInstanceOf(SettleOutcome.Committed.class);
      LedgerAssert.assertThat(stored(asking)).isCompletedWith(Asking.response().digest());
    }
  }
}
