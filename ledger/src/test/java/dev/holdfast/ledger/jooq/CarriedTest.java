package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operation that goes on under a newer generation, its older attempts open. */
class CarriedTest extends RebindBed {
  CarriedTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void carried_it_goes_on_in_the_same_epoch_with_its_attempts_open() {
    Lease late = bed.claimBriefly(document);

    ActOutcome.Done done = done(rebind(Mode.CARRY));

    assertThat(done.before().reservation()).isEqualTo(document);
    document()
        .isInState(OperationState.UNKNOWN)
        .has(OPERATION.GENERATION, 1L)
        .has(OPERATION.EPOCH, late.epoch().value());
    countsItsOpenAttempts(1);
    assertThat(bed.stored(document).get(OPERATION.FENCING_TOKEN))
        .isGreaterThan(late.token().value());
  }

  @Test
  void carried_the_contracts_rules_go_on() {
    bed.claimBriefly(document);
    done(rebind(Mode.CARRY));

    assertThat(claimIn(1, new OpenAttemptRule.AskFirst())).isInstanceOf(Claim.Reconcile.class);
    bed.letLeasesRunOut();
    assertThat(
            claimIn(
                1,
                new OpenAttemptRule.SameKeyAgain(
                    Duration.ofHours(24),
                    Duration.ofMinutes(1),
                    new OpenAttemptRule.ParkWhileOpen())))
        .isInstanceOf(Claim.Granted.class);
    bed.letLeasesRunOut();
    assertThat(claimIn(1, new OpenAttemptRule.ParkWhileOpen()))
        .isEqualTo(new Claim.Parked("open_attempt"));
  }

  @Test
  void a_late_success_of_the_older_generation_is_quarantined_and_stays_open() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));

    assertThat(settle(late, "effect-1")).isInstanceOf(SettleOutcome.Quarantined.class);

    document().isInState(OperationState.UNKNOWN).hasPendingEvidence(0).hasReceipts(0);
    countsItsOpenAttempts(1);
    assertThat(story().quarantine().count()).isEqualTo(1);
    assertThat(story().quarantine().warnings()).hasSize(1);
    assertThat(claimIn(1, new OpenAttemptRule.ParkWhileOpen()))
        .isEqualTo(new Claim.Parked("open_attempt"));
  }

  @Test
  void a_late_failure_of_the_older_generation_closes_nothing() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));

    assertThat(end(late, FAILED)).isInstanceOf(EndOutcome.Quarantined.class);

    countsItsOpenAttempts(1);
  }

  @Test
  void the_newer_generation_completes_after_what_was_quarantined() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));
    settle(late, "effect-1");

    Lease next = ((Claim.Granted) claimIn(1)).lease().dispatch();

    assertThat(bed.jooq.settle(next, response("effect-1"), result("resent")))
        .isInstanceOf(SettleOutcome.Committed.class);
    document().isCompletedWith(response("effect-1").digest());
  }

  @Test
  void a_person_who_has_looked_lets_the_older_attempt_complete_it() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));
    settle(late, "effect-1");
    assertThat(claimIn(1, new OpenAttemptRule.ParkWhileOpen())).isInstanceOf(Claim.Parked.class);

    done(resolve(happened("effect-1", late.claimId())));

    assertThat(claimIn(1)).isInstanceOf(Claim.Replay.class);
    assertThat(completion().generation()).isEqualTo(new Generation(1));
  }
}
