package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A rebind and another, in both orders: who comes second sees what the first one left. */
class RebindRaceTest extends RebindBed {
  RebindRaceTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private record Both<A, B>(A first, B second) {}

  /** Lets both come to the row while a third holds it: they get it in the order they came. */
  private <A, B> Both<A, B> inOrder(Callable<A> first, Callable<B> second) throws Exception {
    try (RowLock row = RowLock.on(ledger, document)) {
      Future<A> one = Contenders.background(first);
      row.awaitWaiters(1);
      Future<B> other = Contenders.background(second);
      row.awaitWaiters(2);
      row.rollback();
      return new Both<>(one.get(), other.get());
    }
  }

  private Callable<ActOutcome> act(Mode mode) {
    Rebind order = order(mode);
    return () -> acts.rebind(terms(document), order);
  }

  private void countsAgree() {
    assertThat(bed.openAttempts(document))
        .isEqualTo(bed.stored(document).get(OPERATION.OPEN_ATTEMPTS));
  }

  @Test
  void a_claim_behind_a_rebind_is_rejected() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, Claim> both =
        inOrder(act(Mode.CARRY), () -> bed.jooq.claim(request(document)));

    done(both.first());
    assertThat(both.second()).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
    countsAgree();
  }

  @Test
  void a_rebind_behind_a_claim_is_held() throws Exception {
    bed.claimBriefly(document);

    Both<Claim, ActOutcome> both =
        inOrder(() -> bed.jooq.claim(request(document)), act(Mode.CARRY));

    assertThat(both.first()).isInstanceOf(Claim.Granted.class);
    assertThat(both.second()).isInstanceOf(ActOutcome.Held.class);
    countsAgree();
  }

  @Test
  void a_late_success_behind_a_rebind_is_quarantined() throws Exception {
    Lease late = bed.claimBriefly(document);

    Both<ActOutcome, SettleOutcome> both =
        inOrder(act(Mode.CARRY), () -> bed.slow.settle(late, response("effect-1"), result("late")));

    done(both.first());
    assertThat(both.second()).isInstanceOf(SettleOutcome.Quarantined.class);
    document().hasPendingEvidence(0);
    countsItsOpenAttempts(1);
  }

  @Test
  void a_rebind_behind_a_late_success_waits_for_it() throws Exception {
    Lease late = bed.claimBriefly(document);

    Both<SettleOutcome, ActOutcome> both =
        inOrder(() -> bed.slow.settle(late, response("effect-1"), result("late")), act(Mode.CARRY));

    assertThat(both.first()).isInstanceOf(SettleOutcome.LeaseExpired.class);
    assertThat(both.second()).isEqualTo(new ActOutcome.EvidenceWaits(1));
    assertThat(claimIn(0)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void the_holders_own_settlement_before_a_rebind_leaves_a_receipt_to_adopt() throws Exception {
    Lease holder = bed.claim(document);

    Both<SettleOutcome, ActOutcome> both =
        inOrder(
            () -> bed.slow.settle(holder, response("effect-1"), result("own")), act(Mode.ADOPT));

    assertThat(both.first()).isInstanceOf(SettleOutcome.Committed.class);
    done(both.second());
    assertThat(claimIn(1)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_decision_behind_a_rebind_is_about_what_it_left() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, ActOutcome> both =
        inOrder(
            act(Mode.CARRY), () -> acts.resolve(terms(document), didNotHappenWhateverMayLand()));

    done(both.first());
    done(both.second());
    document().isInState(OperationState.UNKNOWN).has(OPERATION.GENERATION, 1L);
    countsItsOpenAttempts(0);
  }

  @Test
  void a_rebind_behind_a_decision_is_of_what_it_left() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, ActOutcome> both =
        inOrder(
            () -> acts.resolve(terms(document), didNotHappenWhateverMayLand()), act(Mode.CARRY));

    done(both.first());
    done(both.second());
    countsItsOpenAttempts(0);
  }

  @Test
  void of_two_rebinds_one_is_done() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, ActOutcome> both = inOrder(act(Mode.CARRY), act(Mode.CARRY));

    done(both.first());
    assertThat(both.second()).isInstanceOf(ActOutcome.Moved.class);
    assertThat(story().changes()).hasSize(1);
  }

  @Test
  void an_adoption_behind_a_reopening_is_refused() throws Exception {
    bed.jooq.settle(bed.claim(document), response("effect-1"), result("first"));

    Both<ActOutcome, ActOutcome> both =
        inOrder(() -> acts.reopen(terms(document), false), act(Mode.ADOPT));

    done(both.first());
    assertThat(both.second()).isInstanceOf(ActOutcome.Moved.class);
  }

  @Test
  void a_reopening_behind_an_adoption_reopens_the_newer_generation() throws Exception {
    bed.jooq.settle(bed.claim(document), response("effect-1"), result("first"));

    Both<ActOutcome, ActOutcome> both =
        inOrder(act(Mode.ADOPT), () -> acts.reopen(terms(document), false));

    done(both.first());
    done(both.second());
    assertThat(claimIn(1)).isInstanceOf(Claim.Granted.class);
  }
}
