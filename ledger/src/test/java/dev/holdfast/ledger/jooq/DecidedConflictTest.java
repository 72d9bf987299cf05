package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person has decided stands, whoever sends once more what the person knew of. */
class DecidedConflictTest extends ActBed {
  private Lease first;

  DecidedConflictTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @BeforeEach
  void two_effects_were_seen() {
    first = bed.claimBriefly(document);
    Lease second = bed.claim(document);
    settle(second, "effect-2");
    settle(first, "effect-1");
    document().isInState(OperationState.CONFLICT);
  }

  @Test
  void the_report_that_lost_is_no_news_when_it_comes_again() {
    done(resolve(receiptStands()));

    isStillInState(OperationState.COMPLETED, "effect-1");
  }

  @Test
  void neither_is_what_was_seen_during_the_conflict() {
    settle(first, "effect-3");
    done(resolve(receiptStands()));

    isStillInState(OperationState.COMPLETED, "effect-3");
  }

  @Test
  void nor_is_either_report_where_the_person_says_that_it_failed() {
    done(resolve(failed()));

    isStillInState(OperationState.FAILED, "effect-1");
  }

  @Test
  void what_nobody_had_seen_is_a_conflict_again_and_kept() {
    done(resolve(receiptStands()));
    int before = story().observations().size();

    settle(first, "effect-4");

    document().isInState(OperationState.CONFLICT);
    assertThat(story().observations()).hasSize(before + 1);
  }

  private void isStillInState(OperationState expected, String sentAgain) {
    int before = story().observations().size();

    assertThat(settledBy(settle(first, sentAgain)).state()).isEqualTo(expected);

    document().isInState(expected).hasOpenAttempts(0);
    assertThat(story().observations()).hasSize(before);
  }
}
