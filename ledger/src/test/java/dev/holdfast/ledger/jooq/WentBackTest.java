package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.behind;
import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.GateReason;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.Test;

/** A caller knows a receipt, and the ledger that is asked is an older one: a backup of before. */
class WentBackTest extends ResolverBed {
  WentBackTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void what_is_in_progress_again_is_told_from_a_gate_that_is_not_open_yet() {
    Completion told = completed();
    assertThat(bed.jooq.hasReceipt(told)).isTrue();

    restoreFromBeforeTheReceipt();

    document().isInState(OperationState.IN_PROGRESS);
    assertThat(bed.jooq.hasReceipt(told)).isFalse();
    assertRefused(told);
  }

  @Test
  void the_same_effect_under_a_later_receipt_does_not_hide_it() {
    Completion told = completed();
    restoreFromBeforeTheReceipt();
    bed.letLeasesRunOut();
    Completion again = completed();
    assertThat(again.effect()).isEqualTo(told.effect());
    assertThat(again.receipt()).isNotEqualTo(told.receipt());

    assertRefused(told);
    assertThat(bed.jooq.claim(behind(fresh(), again))).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void nor_does_the_same_number_given_again_on_another_timeline() {
    Completion told = completed();
    inOneTransaction(
        "update receipt set timeline = timeline + 1 where operation_id = ?",
        "update operation set receipt_timeline = receipt_timeline + 1 where operation_id = ?");

    assertThat(bed.jooq.hasReceipt(told)).isFalse();
    assertRefused(told);
  }

  private void assertRefused(Completion told) {
    Reservation share = fresh();

    assertThat(bed.jooq.claim(behind(share, told)))
        .isEqualTo(new Claim.GateClosed(document.operation(), GateReason.WENT_BACK));

    assertThat(bed.stored(share).row()).isNull();
  }

  private Completion completed() {
    SettleOutcome outcome = settle(bed.claim(document), "effect");
    assertThat(outcome).isInstanceOf(SettleOutcome.Committed.class);
    return ((SettleOutcome.Committed) outcome).receipt().completion();
  }

  private void restoreFromBeforeTheReceipt() {
    inOneTransaction(
        "delete from receipt where operation_id = ?",
        "update operation set state = 'in_progress', revision = 1, open_attempts = 1,"
            + " released = false, result_kind = null, result = null, result_sha256 = null,"
            + " response_sha256 = null, upstream_status = null, effect_id = null,"
            + " receipt_number = null, receipt_timeline = null, settled_at = null,"
            + " durable_confirmed_at = null, release_sha256 = null where operation_id = ?");
  }

  /** Past the guards, as a restore is. */
  private void inOneTransaction(String... statements) {
    bed.ledger
        .sql()
        .transaction(
            transaction -> {
              transaction.dsl().execute("set local session_replication_role = replica");
              for (String statement : statements) {
                assertThat(transaction.dsl().execute(statement, document.operation().text()))
                    .isEqualTo(1);
              }
            });
  }
}
