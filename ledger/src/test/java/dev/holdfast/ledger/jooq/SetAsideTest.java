package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingOperation.Cause;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A success that was set aside may be a second effect: a person sees it, until one has acted. */
class SetAsideTest extends RebindBed {
  private static final Set<Cause> SET_ASIDE = Set.of(Cause.QUARANTINE);

  SetAsideTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private List<AwaitingOperation> listed(AwaitingQuery query) {
    return acts.list(query).stream()
        .filter(waiting -> waiting.operation().equals(document.operation()))
        .toList();
  }

  private List<AwaitingOperation> listed() {
    return listed(AwaitingQuery.all().waitingFor(SET_ASIDE));
  }

  /** Said to have failed, run again and completed; then the first one's effect is seen. */
  private void secondEffect() {
    Lease first = bed.claimBriefly(document);
    done(resolve(new Decision.Failed(NO_SUCH, true)));
    done(acts.reopen(terms(document), true));
    assertThat(bed.jooq.settle(bed.claim(document), response("effect-2"), result("second")))
        .isInstanceOf(SettleOutcome.Committed.class);
    assertThat(listed()).isEmpty();
    assertThat(settle(first, "effect-1")).isInstanceOf(SettleOutcome.Quarantined.class);
  }

  @Test
  void a_second_effect_after_a_failure_that_was_reopened_is_listed_and_shown() {
    secondEffect();

    assertThat(listed())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.state()).isEqualTo(OperationState.COMPLETED);
              assertThat(waiting.setAside()).isEqualTo(1);
              assertThat(waiting.parkedReason()).isNull();
            });
    assertThat(listed(AwaitingQuery.all())).hasSize(1);
    assertThat(story().quarantine().unseen()).isEqualTo(1);
  }

  @Test
  void a_person_who_has_looked_says_that_the_receipt_stands() {
    secondEffect();

    done(resolve(receiptStands()));

    document().isCompletedWith(response("effect-2").digest());
    assertThat(listed()).isEmpty();
    assertThat(story().quarantine().unseen()).isZero();
    assertThat(claim()).isInstanceOf(Claim.Replay.class);
    assertThat(resolve(receiptStands())).isInstanceOf(ActOutcome.NotApplicable.class);
  }

  @Test
  void what_comes_after_that_is_listed_anew() {
    secondEffect();
    done(resolve(receiptStands()));
    bed.pass(Duration.ofSeconds(1));
    Lease other = reopenedAndGone();

    assertThat(settle(other, "effect-3")).isInstanceOf(SettleOutcome.Quarantined.class);

    assertThat(listed()).singleElement().satisfies(one -> assertThat(one.setAside()).isEqualTo(1));
  }

  /** One of an execution before. */
  private Lease reopenedAndGone() {
    done(acts.reopen(terms(document), true));
    Lease gone = bed.claimBriefly(document);
    done(resolve(new Decision.Failed(NO_SUCH, true)));
    done(acts.reopen(terms(document), true));
    return gone;
  }

  @Test
  void the_very_effect_that_it_is_completed_with_is_no_second_one() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));
    settle(late, "effect-1");
    assertThat(listed()).hasSize(1);

    Lease next = ((Claim.Granted) claimIn(1)).lease().dispatch();
    bed.jooq.settle(next, response("effect-1"), result("resent"));

    assertThat(listed()).isEmpty();
  }

  @Test
  void what_did_nothing_is_not_listed() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));

    assertThat(end(late, FAILED)).isInstanceOf(EndOutcome.Quarantined.class);

    assertThat(listed()).isEmpty();
    assertThat(story().quarantine().count()).isEqualTo(1);
  }

  @Test
  void one_that_waits_for_two_reasons_is_listed_once() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));
    settle(late, "effect-1");
    claimIn(1, new OpenAttemptRule.ParkWhileOpen());

    assertThat(listed(AwaitingQuery.all()))
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.parkedReason()).isEqualTo("open_attempt");
              assertThat(waiting.setAside()).isEqualTo(1);
            });
    assertThat(listed(AwaitingQuery.all().waitingFor(Set.of(Cause.CONFLICT)))).isEmpty();
    AwaitingQuery page = AwaitingQuery.all().limitedTo(1);
    int seen = 0;
    for (List<AwaitingOperation> one = acts.list(page);
        !one.isEmpty();
        one = acts.list(page.after(one.getLast()))) {
      seen += one.getFirst().operation().equals(document.operation()) ? 1 : 0;
    }
    assertThat(seen).isEqualTo(1);
  }
}
