package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AbandonStatementTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;
  private final Abandoning abandoning;

  AbandonStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    LedgerOptions options = LedgerOptions.standard();
    this.ledger = JooqLedger.open(embedded.dataSource(), options);
    LedgerSql sql = new LedgerSql(options.schema());
    this.abandoning =
        new Abandoning(
            new LedgerConnection(embedded.dataSource()),
            sql,
            options,
            new LateAbandon(
                new LedgerTransaction(embedded.dataSource(), sql.configuration(), options),
                sql.clock()));
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  @Test
  void the_attempt_is_closed_and_the_next_claim_need_not_wait() {
    Asking asking = Asking.about("given-back");

    AbandonOutcome outcome = ledger.abandon(asking.granted(ledger));

    assertThat(outcome).isEqualTo(AbandonOutcome.ABANDONED);
    LedgerAssert.assertThat(stored(asking))
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0)
        .isReleased()
        .hasObservations("not_dispatched closed");
    asking.granted(ledger);
  }

  @Test
  void one_lease_is_given_back_once() {
    UndispatchedLease lease = Asking.about("once").granted(ledger);
    ledger.abandon(lease);

    assertThatThrownBy(() -> ledger.abandon(lease)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_dispatched_lease_cannot_be_given_back() {
    UndispatchedLease lease = Asking.about("dispatched").granted(ledger);
    assertThat(lease.dispatch()).isNotNull();

    assertThatThrownBy(() -> ledger.abandon(lease)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void asked_again_after_a_lost_answer_it_closes_nothing_twice() {
    Asking asking = Asking.about("lost-answer");
    UndispatchedLease lease = asking.granted(ledger);
    assertThat(abandoning.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);
    StoredOperation before = stored(asking);

    assertThat(abandoning.abandon(lease)).isEqualTo(AbandonOutcome.ALREADY_CLOSED);

    assertThat(stored(asking).observations()).hasSameSizeAs(before.observations());
    LedgerAssert.assertThat(stored(asking)).hasOpenAttempts(0);
  }

  @Test
  void an_overtaken_lease_closes_its_own_attempt_alone() {
    Asking asking = Asking.about("overtaken");
    UndispatchedLease first = asking.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);
      UndispatchedLease second = asking.granted(ledger);

      assertThat(ledger.abandon(first)).isEqualTo(AbandonOutcome.ABANDONED);

      LedgerAssert.assertThat(stored(asking))
          .isInState(OperationState.IN_PROGRESS)
          .wasLastClaimedBy(second)
          .hasOpenAttempts(1)
          .hasObservations("not_dispatched closed");
    }
  }

  @Test
  void a_lease_that_ran_out_with_nobody_after_it_is_still_its_own() {
    Asking asking = Asking.about("ran-out");
    UndispatchedLease lease = asking.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);

      assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);

      LedgerAssert.assertThat(stored(asking)).isInState(OperationState.UNKNOWN).hasOpenAttempts(0);
    }
  }

  @Test
  void closing_the_last_open_attempt_ends_the_wait_for_a_person() {
    Asking asking = Asking.about("un-parks");
    UndispatchedLease lease = asking.granted(ledger);
    embedded
        .sql()
        .update(OPERATION)
        .set(OPERATION.STATE, "unknown")
        .set(OPERATION.PARKED_REASON, "opaque")
        .set(OPERATION.ATTENTION_AT, Instant.now())
        .set(OPERATION.REVISION, OPERATION.REVISION.plus(1))
        .where(OPERATION.OPERATION_ID.eq(asking.reservation().operation().text()))
        .execute();

    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);

    LedgerAssert.assertThat(stored(asking))
        .isInState(OperationState.UNKNOWN)
        .has(OPERATION.PARKED_REASON, null)
        .has(OPERATION.ATTENTION_AT, null)
        .hasOpenAttempts(0);
  }
}
