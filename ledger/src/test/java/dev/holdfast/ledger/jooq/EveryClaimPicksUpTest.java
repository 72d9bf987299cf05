package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OpenAttemptRule.AskFirst;
import dev.holdfast.ledger.OpenAttemptRule.ParkWhileOpen;
import dev.holdfast.ledger.OpenAttemptRule.RolledBack;
import dev.holdfast.ledger.OpenAttemptRule.SameKeyAgain;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a witness has stored is settled by whoever claims, whatever the contract would do (H4). */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EveryClaimPicksUpTest {
  private static final Duration SLACK = Duration.ofMinutes(1);

  /** Shorter than the two leases that every attempt here has behind it. */
  private static final Duration FORGOTTEN = Asking.LEASE;

  private final SettlementBed bed;
  private final JooqLedger ledger;

  EveryClaimPicksUpTest(EmbeddedLedger embedded) {
    this.bed = new SettlementBed(embedded);
    this.ledger = bed.jooq;
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  enum Rule {
    ROLLED_BACK,
    KEY_ALIVE,
    KEY_FORGOTTEN_ASK,
    KEY_FORGOTTEN_PARK,
    ASK_FIRST,
    PARK_WHILE_OPEN
  }

  private static OpenAttemptRule of(Rule rule) {
    return switch (rule) {
      case ROLLED_BACK -> new RolledBack();
      case KEY_ALIVE -> new SameKeyAgain(Asking.KEY_HORIZON, SLACK, new ParkWhileOpen());
      case KEY_FORGOTTEN_ASK -> new SameKeyAgain(FORGOTTEN, Duration.ZERO, new AskFirst());
      case KEY_FORGOTTEN_PARK -> new SameKeyAgain(FORGOTTEN, Duration.ZERO, new ParkWhileOpen());
      case ASK_FIRST -> new AskFirst();
      case PARK_WHILE_OPEN -> new ParkWhileOpen();
    };
  }

  enum Found {
    UNKNOWN,
    PARKED,
    DEAD_IN_PROGRESS,
    RESOURCE_PASSED_ON,
    GATE_CLOSED
  }

  static Stream<Arguments> claims() {
    return Arrays.stream(Rule.values())
        .flatMap(rule -> Arrays.stream(Found.values()).map(found -> Arguments.of(rule, found)));
  }

  @ParameterizedTest
  @MethodSource("claims")
  void evidence_is_picked_up_before_anything_else(Rule rule, Found found) {
    Asking asking = asking(rule, found);
    Lease witness = died(asking);
    Lease rival = died(asking);
    bringTo(found, asking, rival);
    assertThat(ledger.settle(witness, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Preempted.class);
    StoredOperation before = bed.stored(asking.reservation());

    Claim claim = asking.under(of(rule)).claim(ledger);

    assertThat(claim).isInstanceOf(Claim.Replay.class);
    StoredOperation after = bed.stored(asking.reservation());
    LedgerAssert.assertThat(after)
        .isInState(OperationState.COMPLETED)
        .isReleased()
        .hasReceipts(1)
        .hasPendingEvidence(0)
        .hasOpenAttempts(1);
    assertThat(after.observations()).hasSameSizeAs(before.observations());
    assertThat(after.receipts().getFirst().get("evidence_claim_id"))
        .isEqualTo(witness.claimId().value());
    assertThat((Long) after.receipts().getFirst().get("fencing_token"))
        .isGreaterThan(rival.token().value());
  }

  private Asking asking(Rule rule, Found found) {
    String key = rule + "-" + found;
    return switch (found) {
      case UNKNOWN, PARKED, DEAD_IN_PROGRESS -> Asking.about(key);
      case RESOURCE_PASSED_ON -> Asking.about(key, ResourceId.shared(key));
      case GATE_CLOSED ->
          Asking.about(key)
              .behind(Asking.about(key + "-gate").committed(ledger).receipt().completion());
    };
  }

  private Lease died(Asking asking) {
    Lease lease = asking.dispatched(ledger);
    bed.pass(Asking.LEASE);
    return lease;
  }

  private void bringTo(Found found, Asking asking, Lease rival) {
    switch (found) {
      case UNKNOWN -> ledger.end(rival, new AttemptEnd.Unclear("timed_out"));
      case PARKED ->
          assertThat(asking.under(new ParkWhileOpen()).claim(ledger))
              .isInstanceOf(Claim.Parked.class);
      case DEAD_IN_PROGRESS ->
          LedgerAssert.assertThat(bed.stored(asking.reservation()))
              .isInState(OperationState.IN_PROGRESS);
      case RESOURCE_PASSED_ON ->
          ledger.release(
              Asking.about(
                      asking.reservation().operation().key() + "-next",
                      asking.reservation().resource())
                  .committed(ledger)
                  .permit());
      case GATE_CLOSED ->
          bed.ledger
              .sql()
              .execute(
                  "update operation set state = 'conflict', revision = revision + 1, attention_at ="
                      + " ledger_clock() where operation_id = ?",
                  asking.gates().getFirst().operation().text());
    }
  }
}
