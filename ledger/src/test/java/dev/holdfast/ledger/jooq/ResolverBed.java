package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** One operation, and those who report about it to the slow path. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class ResolverBed {
  static final SettlementPolicy FIRST_WINS =
      new SettlementPolicy(PayloadPolicy.FIRST_COMMIT_WINS, TerminalPolicy.FIRST_COMMIT_WINS);
  static final AttemptEnd FAILED = new AttemptEnd.Failed(new SettledFailure("no_such", 404));
  static final AttemptEnd REFUSED = new AttemptEnd.Refused(429);
  static final AttemptEnd UNCLEAR = new AttemptEnd.Unclear("timed_out");

  /** Wide enough for a slow machine to stay within. */
  static final LeaseMargin MARGIN = new LeaseMargin(Duration.ofSeconds(20));

  final SettlementBed bed;
  final Reservation document = fresh();

  ResolverBed(EmbeddedLedger ledger) {
    this.bed = new SettlementBed(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  /** A live lease with half its margin left. */
  Lease thin() {
    Lease lease = bed.claim(request(document, SettlementPolicy.STANDARD, MARGIN));
    bed.pass(SettlementBed.LEASE.minus(MARGIN.value().dividedBy(2)));
    return lease;
  }

  SettleOutcome settle(Lease lease, String effect) {
    return bed.slow.settle(lease, response(effect), result(effect));
  }

  EndOutcome end(Lease lease, AttemptEnd end) {
    return bed.slow.end(lease, end);
  }

  OperationView ended(Lease lease, AttemptEnd end) {
    EndOutcome outcome = end(lease, end);
    assertThat(outcome).isInstanceOf(EndOutcome.Recorded.class);
    return ((EndOutcome.Recorded) outcome).operation();
  }

  static OperationView settledBy(SettleOutcome outcome) {
    assertThat(outcome).isInstanceOf(SettleOutcome.AlreadySettled.class);
    return ((SettleOutcome.AlreadySettled) outcome).operation();
  }

  LedgerAssert document() {
    return LedgerAssert.assertThat(bed.stored(document));
  }

  /** The counter says so, and the histories say the same. */
  void countsItsOpenAttempts(int expected) {
    document().hasOpenAttempts(expected);
    assertThat(bed.openAttempts(document)).as("open by the histories").isEqualTo(expected);
  }

  void park(Reservation operation) {
    bed.ledger
        .sql()
        .execute(
            "update operation set parked_reason = 'open_attempt', attention_at = ledger_clock()"
                + " where operation_id = ?",
            operation.operation().text());
  }

  void rebind(Reservation operation) {
    rebind(bed.ledger, operation);
  }

  static void rebind(EmbeddedLedger ledger, Reservation operation) {
    String id = operation.operation().text();
    ledger
        .sql()
        .transaction(
            transaction -> {
              transaction
                  .dsl()
                  .execute(
                      "insert into reservation_history select scope, operation_id, revision + 1,"
                          + " 'carry', fingerprint_scheme, fingerprint_sha256, generation,"
                          + " resource_id, epoch, receipt_number, 'op', 'test', ledger_clock(), 0"
                          + " from operation where operation_id = ?",
                      id);
              transaction
                  .dsl()
                  .execute(
                      "update operation set generation = generation + 1, revision = revision + 1,"
                          + " fencing_token = fencing_token + 1, state = 'unknown'"
                          + " where operation_id = ?",
                      id);
            });
  }
}
