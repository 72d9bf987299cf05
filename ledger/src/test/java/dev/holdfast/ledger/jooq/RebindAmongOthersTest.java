package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationType;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A rebind and those who look after operations, witness effects or rebind too, in both orders. */
class RebindAmongOthersTest extends RebindBed {
  private static final OpenAttemptRule OPAQUE = new OpenAttemptRule.ParkWhileOpen();

  RebindAmongOthersTest(EmbeddedLedger ledger) {
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

  private Callable<Optional<OperationView>> attend() {
    return () -> bed.jooq.attend(attendance(document));
  }

  private static AttendRequest attendance(Reservation of) {
    ClaimRequest plain = request(of);
    return new AttendRequest(
        of.scope(),
        of.operation(),
        of.fingerprint(),
        of.generation(),
        OPAQUE,
        plain.policy(),
        plain.worker(),
        plain.origin());
  }

  private Callable<AttestOutcome> attest(String effect) {
    AttestedSuccess success =
        new AttestedSuccess(
            Tuple.of(document, new Epoch(0)),
            signed(effect),
            result("signed"),
            SettlementPolicy.STANDARD);
    return () -> bed.jooq.attest(success);
  }

  private static VerifiedResponse signed(String effect) {
    byte[] body = ("signed " + effect).getBytes(StandardCharsets.UTF_8);
    return ((Verification.Verified)
            new UpstreamResponse(200, true, body, List.of(), new EffectId(effect))
                .verifyAttested(DigestRule.OPTIONAL))
        .response();
  }

  /** And confirmed: who reads a receipt that is not would wait for the row to confirm it. */
  private void completed() {
    SettleOutcome settled =
        bed.jooq.settle(bed.claim(document), response("effect-1"), result("first"));
    bed.jooq.release(((SettleOutcome.Committed) settled).permit());
  }

  private static void isRefused(ActOutcome outcome, String because) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class,
            refused -> assertThat(refused.cure()).contains(because));
  }

  @Test
  void a_look_behind_a_carrying_changes_nothing_of_the_newer_generation() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, Optional<OperationView>> both = inOrder(act(Mode.CARRY), attend());

    done(both.first());
    document()
        .isInState(OperationState.UNKNOWN)
        .has(OPERATION.GENERATION, 1L)
        .has(OPERATION.PARKED_REASON, null);
    countsItsOpenAttempts(1);
  }

  @Test
  void a_carrying_behind_a_look_that_parked_is_refused() throws Exception {
    bed.claimBriefly(document);

    Both<Optional<OperationView>, ActOutcome> both = inOrder(attend(), act(Mode.CARRY));

    isRefused(both.second(), "resolve it first");
    document().isParkedFor("open_attempt").has(OPERATION.GENERATION, 0L);
  }

  @Test
  void a_carrying_behind_a_look_that_picked_evidence_up_is_refused() throws Exception {
    Lease late = bed.claimBriefly(document);
    settle(late, "effect-1");

    Both<Optional<OperationView>, ActOutcome> both = inOrder(attend(), act(Mode.CARRY));

    isRefused(both.second(), "adopt its effect");
    document().isInState(OperationState.COMPLETED).hasReceipts(1);
  }

  @Test
  void a_look_behind_a_carrying_that_evidence_stopped_picks_it_up() throws Exception {
    Lease late = bed.claimBriefly(document);
    settle(late, "effect-1");

    Both<ActOutcome, Optional<OperationView>> both = inOrder(act(Mode.CARRY), attend());

    assertThat(both.first()).isEqualTo(new ActOutcome.EvidenceWaits(1));
    document().isInState(OperationState.COMPLETED).has(OPERATION.GENERATION, 0L);
  }

  @Test
  void a_delivery_behind_a_rebind_is_set_aside() throws Exception {
    bed.claimBriefly(document);

    Both<ActOutcome, AttestOutcome> both = inOrder(act(Mode.CARRY), attest("effect-1"));

    done(both.first());
    assertThat(both.second()).isInstanceOf(AttestOutcome.Quarantined.class);
    document().hasPendingEvidence(0);
    countsItsOpenAttempts(1);
  }

  @Test
  void a_rebind_behind_a_delivery_waits_for_it() throws Exception {
    bed.claimBriefly(document);

    Both<AttestOutcome, ActOutcome> both = inOrder(attest("effect-1"), act(Mode.CARRY));

    assertThat(both.first()).isInstanceOf(AttestOutcome.Pending.class);
    assertThat(both.second()).isEqualTo(new ActOutcome.EvidenceWaits(1));
    assertThat(claimIn(0)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_second_effect_behind_a_re_execution_is_set_aside() throws Exception {
    completed();

    Both<ActOutcome, AttestOutcome> both = inOrder(act(Mode.RE_EXECUTE), attest("effect-2"));

    done(both.first());
    assertThat(both.second()).isInstanceOf(AttestOutcome.Quarantined.class);
    document().isInState(OperationState.UNKNOWN).has(OPERATION.EPOCH, 1);
    assertThat(story().quarantine().unseen()).isEqualTo(1);
  }

  @Test
  void a_re_execution_behind_a_second_effect_is_refused() throws Exception {
    completed();

    Both<AttestOutcome, ActOutcome> both = inOrder(attest("effect-2"), act(Mode.RE_EXECUTE));

    isRefused(both.second(), "contradicts");
    document().isInState(OperationState.CONFLICT).has(OPERATION.EPOCH, 0);
  }

  @Test
  void a_re_execution_behind_the_holders_settlement_runs_it_again() throws Exception {
    Lease holder = bed.claim(document);

    Both<SettleOutcome, ActOutcome> both =
        inOrder(() -> settle(holder, "effect-1"), act(Mode.RE_EXECUTE));

    assertThat(both.first()).isInstanceOf(SettleOutcome.Committed.class);
    done(both.second());
    countsItsOpenAttempts(0);
    assertThat(claimIn(1)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_re_execution_before_the_holders_settlement_is_held() throws Exception {
    Lease holder = bed.claim(document);

    Both<ActOutcome, SettleOutcome> both =
        inOrder(act(Mode.RE_EXECUTE), () -> settle(holder, "effect-1"));

    assertThat(both.first()).isInstanceOf(ActOutcome.Held.class);
    assertThat(both.second()).isInstanceOf(SettleOutcome.Committed.class);
    document().isInState(OperationState.COMPLETED).has(OPERATION.GENERATION, 0L);
  }

  @Test
  void a_reopening_behind_a_re_execution_is_refused_and_only_the_newer_generation_runs()
      throws Exception {
    bed.claimBriefly(document);
    done(resolve(failedWhateverMayLand()));

    Both<ActOutcome, ActOutcome> both =
        inOrder(act(Mode.RE_EXECUTE), () -> acts.reopen(terms(document), true));

    done(both.first());
    isRefused(both.second(), "not settled");
    assertThat(claimIn(0)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
    assertThat(claimIn(1)).isInstanceOf(Claim.Granted.class);
  }

  private static Decision failedWhateverMayLand() {
    return new Decision.Failed(NO_SUCH, true);
  }

  @Test
  void a_re_execution_behind_a_reopening_is_refused() throws Exception {
    completed();

    Both<ActOutcome, ActOutcome> both =
        inOrder(() -> acts.reopen(terms(document), true), act(Mode.RE_EXECUTE));

    done(both.first());
    assertThat(both.second()).isInstanceOf(ActOutcome.Moved.class);
    document().has(OPERATION.EPOCH, 1).has(OPERATION.GENERATION, 0L);
  }

  @Test
  void of_an_adoption_and_a_re_execution_the_first_is_done() throws Exception {
    completed();

    Both<ActOutcome, ActOutcome> both = inOrder(act(Mode.ADOPT), act(Mode.RE_EXECUTE));

    done(both.first());
    assertThat(both.second()).isInstanceOf(ActOutcome.Moved.class);
    document().isInState(OperationState.COMPLETED).has(OPERATION.EPOCH, 0).hasReceipts(2);
  }

  /** Freely: a sweep waits for nobody, so that no order can be held. */
  @Test
  void a_sweep_and_a_rebind_leave_one_generation_and_one_demotion() throws Exception {
    Sweeper.Terms sweep =
        Sweeper.Terms.standard(new WorkerName("sweeper"))
            .parkingBy(Map.of(new OperationType("export"), OPAQUE));
    List<Reservation> dead = new ArrayList<>();
    List<Rebind> orders = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      Reservation one = SettlementBed.fresh();
      bed.claimBriefly(one);
      dead.add(one);
      orders.add(order(one, Mode.CARRY));
    }

    List<List<Object>> rounds =
        Contenders.race(
            2,
            dead.size(),
            (contender, round) ->
                contender == 0
                    ? acts.rebind(terms(dead.get(round)), orders.get(round))
                    : bed.jooq.sweeper().sweep(sweep));

    for (int round = 0; round < dead.size(); round++) {
      boolean carried = rounds.get(round).getFirst() instanceof ActOutcome.Done;
      var stored = bed.stored(dead.get(round));
      assertThat(stored.get(OPERATION.GENERATION)).isEqualTo(carried ? 1L : 0L);
      assertThat(stored.get(OPERATION.STATE)).isEqualTo("unknown");
      assertThat(bed.openAttempts(dead.get(round))).isEqualTo(stored.get(OPERATION.OPEN_ATTEMPTS));
      if (!carried) {
        isRefused((ActOutcome) rounds.get(round).getFirst(), "resolve it first");
      }
    }
  }
}
