package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person decides where two truths exist. */
class ResolveConflictTest extends ActBed {
  ResolveConflictTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Completion completed;

  @BeforeEach
  void two_effects_were_seen() {
    conflict("effect-2");
    document().isInState(OperationState.CONFLICT);
    completed = Objects.requireNonNull(story().operation().completion());
  }

  @Test
  void a_conflict_is_resolved_for_its_receipt() {
    assertThat(done(resolve(receiptStands())).after()).isEqualTo(OperationState.COMPLETED);

    document().isCompletedWith(response("effect-2").digest()).hasReceipts(1);
    assertThat(claim())
        .isInstanceOfSatisfying(
            // the very completion: references to it open their gates again
            Claim.Replay.class, replay -> assertThat(replay.completion()).isEqualTo(completed));
    document().has(OPERATION.ATTENTION_AT, null);
    assertThat(story().acts().getFirst().decision()).isEqualTo("receipt_stands");
  }

  @Test
  void a_conflict_is_resolved_for_another_effect() {
    assertThat(done(resolve(happened("effect-1"))).after()).isEqualTo(OperationState.COMPLETED);

    document().isCompletedWith(SHOWN).hasReceipts(2);
    assertThat(claim())
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> {
              assertThat(replay.completion().effect().value()).isEqualTo("effect-1");
              assertThat(replay.completion().receipt()).isNotEqualTo(completed.receipt());
            });
    assertThat(story().acts().getFirst().receipt()).isEqualTo(completed.receipt());
    assertThat(story().acts().getFirst().evidence()).isEqualTo(SHOWN);
  }

  @Test
  void a_conflict_is_resolved_as_failed() {
    assertThat(done(resolve(failed())).after()).isEqualTo(OperationState.FAILED);

    assertThat(claim()).isEqualTo(new Claim.AlreadyFailed(NO_SUCH));
    document().has(OPERATION.RECEIPT_NUMBER, null).has(OPERATION.RESULT, null);
    document().has(OPERATION.ATTENTION_AT, null).hasReceipts(1);
  }

  @Test
  void of_a_conflict_nobody_says_that_nothing_happened() {
    assertThat(resolve(didNotHappenWhateverMayLand()))
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class,
            no -> assertThat(no.state()).isEqualTo(OperationState.CONFLICT));
  }

  @Test
  void what_is_settled_is_not_resolved_again() {
    done(resolve(receiptStands()));

    assertThat(resolve(receiptStands())).isInstanceOf(ActOutcome.NotApplicable.class);
    assertThat(resolve(happened("effect-1"))).isInstanceOf(ActOutcome.NotApplicable.class);
    assertThat(resolve(failed())).isInstanceOf(ActOutcome.NotApplicable.class);
    assertThat(resolve(didNotHappen())).isInstanceOf(ActOutcome.NotApplicable.class);
  }
}
