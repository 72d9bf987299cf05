package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a rival moves, the comparison misses and all is judged again; where it moves for ever,
 * nothing is stored. The row lock, which keeps rivals off, is taken out for this.
 */
class CompareAndSetTest extends ResolverBed {
  private static final int ROUNDS = LedgerOptions.standard().retries();
  private static final String REVISION = "revision = revision + 1";

  CompareAndSetTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  /** One part of what is compared, and what a holder's success is once it has moved. */
  enum Part {
    FINGERPRINT("fingerprint_sha256 = sha256('another')", SettleOutcome.Quarantined.class),
    SCHEME("fingerprint_scheme = 'fp2'", SettleOutcome.Quarantined.class),
    GENERATION("generation = generation + 1", SettleOutcome.Quarantined.class),
    EPOCH("epoch = epoch + 1", SettleOutcome.Quarantined.class),
    REVISION(CompareAndSetTest.REVISION, SettleOutcome.Committed.class),
    TOKEN("fencing_token = fencing_token + 1", SettleOutcome.Preempted.class),
    /** The ledger knows no such claim any more. */
    CLAIM_ID("claim_id = gen_random_uuid()", SettleOutcome.Quarantined.class);

    private final String moved;
    private final Class<? extends SettleOutcome> outcome;

    Part(String moved, Class<? extends SettleOutcome> outcome) {
      this.moved = moved;
      this.outcome = outcome;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_rival_that_moves_a_part_before_the_one_statement_makes_it_miss(Part part) {
    Lease lease = bed.claim(document);
    RivalBetween.change(bed.ledger.sql(), part.moved, document.operation().text());

    assertThat(bed.jooq.settle(lease, response("effect"), result("effect")))
        .isInstanceOf(part.outcome);

    document().hasReceipts(part == Part.REVISION ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource
  void a_rival_that_moves_a_part_behind_the_look_makes_it_judge_again(Part part) {
    Lease lease = bed.claim(document);
    RivalBetween rival = rival(part.moved, 1);

    assertThat(slow(rival).settle(lease, response("effect"), result("effect")))
        .isInstanceOf(part.outcome);

    assertThat(rival.loads()).isEqualTo(2);
    document()
        .hasReceipts(part == Part.REVISION ? 1 : 0)
        .isInState(part == Part.REVISION ? OperationState.COMPLETED : OperationState.IN_PROGRESS);
  }

  @Test
  void a_success_whose_row_never_stands_still_is_not_stored() {
    Lease lease = bed.claim(document);
    RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

    assertThat(slow(rival).settle(lease, response("effect"), result("effect")))
        .isEqualTo(new SettleOutcome.Contended());

    assertThat(rival.loads()).isEqualTo(ROUNDS);
    document().isInState(OperationState.IN_PROGRESS).hasReceipts(0).hasObservations();
    assertThat(bed.jooq.settle(lease, response("effect"), result("effect")))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @Test
  void an_end_whose_row_never_stands_still_is_not_stored() {
    Lease lease = bed.claim(document);
    for (var end : Stream.of(FAILED, REFUSED, UNCLEAR).toList()) {
      RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

      assertThat(ledger(rival).end(lease, end)).isEqualTo(new EndOutcome.Contended());

      assertThat(rival.loads()).isEqualTo(ROUNDS);
    }
    document().isInState(OperationState.IN_PROGRESS).hasOpenAttempts(1).hasObservations();
  }

  @Test
  void a_pick_up_whose_row_never_stands_still_leaves_the_evidence_for_the_next_claim() {
    Lease lease = bed.claim(document);
    bed.letLeasesRunOut();
    settle(lease, "effect");
    RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

    assertThat(ledger(rival).claim(request(document))).isEqualTo(new Claim.Contended());

    document().hasPendingEvidence(1).hasReceipts(0);
    assertThat(bed.jooq.claim(request(document))).isInstanceOf(Claim.Replay.class);
  }

  static Stream<Finding> findings() {
    return Stream.of(
        new Finding.DidNotHappen(Finding.Finality.FENCED),
        new Finding.NotKnownYet("no_answer"),
        new Finding.OnlyAPersonCanTell("gone"),
        new Finding.Happened(
            ReconcileBed.found(response("effect").effect()), result("effect"), null));
  }

  @ParameterizedTest
  @MethodSource("findings")
  void a_finding_whose_row_never_stands_still_is_not_stored(Finding finding) {
    Asking asking = Asking.about(document.operation().key()).under(new OpenAttemptRule.AskFirst());
    asking.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    Claim.Reconcile asks = (Claim.Reconcile) asking.claim(bed.jooq);
    RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

    ReconcileOutcome outcome = ledger(rival).reconcile(asks.lease(), finding);

    assertThat(outcome)
        .isIn(
            new ReconcileOutcome.Contended(),
            new ReconcileOutcome.Settled(new SettleOutcome.Contended()));
    assertThat(rival.loads()).isGreaterThanOrEqualTo(ROUNDS);
    document().isInState(OperationState.IN_PROGRESS).hasOpenAttempts(2).hasObservations();
  }

  @Test
  void a_persons_act_whose_row_never_stands_still_is_not_done() {
    bed.claim(document);
    bed.letLeasesRunOut();
    RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

    ActOutcome outcome =
        ledger(rival).acts().resolve(ActBed.terms(document), new Decision.DidNotHappen(true));

    assertThat(outcome).isEqualTo(new ActOutcome.Contended());
    assertThat(rival.loads()).isEqualTo(ROUNDS);
    assertThat(bed.ledger.sql().fetchSingle("select count(*)::int from operator_act").get(0))
        .isEqualTo(0);
  }

  @Test
  void an_effect_in_the_ledgers_transaction_is_rolled_back_where_its_row_moved() throws Exception {
    Lease lease = bed.claim(document);
    RivalBetween rival = rival(REVISION, Integer.MAX_VALUE);

    SettleOutcome outcome =
        ledger(rival)
            .settleInTransaction(
                lease, connection -> new Effected(response("effect"), result("effect")));

    assertThat(outcome).isEqualTo(new SettleOutcome.Contended());
    document().isInState(OperationState.IN_PROGRESS).hasReceipts(0).hasObservations();
  }

  private RivalBetween rival(String change, int times) {
    return new RivalBetween(
        bed.ledger.dataSource(), bed.ledger.sql(), change, document.operation().text(), times);
  }

  private static SettlementTransaction slow(RivalBetween rival) {
    return new SettlementTransaction(
        SettlementBed.transactions(rival.source()),
        SettlementBed.SQL.clock(),
        SettlementBed.SYSTEM);
  }

  private static JooqLedger ledger(RivalBetween rival) {
    return JooqLedger.open(rival.source(), LedgerOptions.standard());
  }
}
