package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A binding is rotated while an attempt is open: no claim of its generation will find out any more,
 * so a person is asked.
 */
class SupersededAttemptTest extends RebindBed {
  private static final OpenAttemptRule ASK_FIRST = new OpenAttemptRule.AskFirst();
  private static final OpenAttemptRule SAME_KEY =
      new OpenAttemptRule.SameKeyAgain(
          Duration.ofHours(24), Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen());

  private final BindingName mandate = new BindingName(document.operation().key());

  SupersededAttemptTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  static Stream<OpenAttemptRule> rulesThatClaimsGoOnBy() {
    return Stream.of(ASK_FIRST, SAME_KEY);
  }

  private void rotate() {
    acts.rotate(
        new Rotation(
            ActId.random(), document.scope(), mandate, new Generation(0), "ann", "new", false));
  }

  private Claim claimBound(OpenAttemptRule rule) {
    ClaimRequest plain = request(document);
    return bed.jooq.claim(
        new ClaimRequest(
            plain.reservation(),
            plain.claimId(),
            plain.worker(),
            plain.origin(),
            plain.leaseFor(),
            plain.dispatchWithin(),
            plain.inFlight(),
            plain.margin(),
            rule,
            plain.policy(),
            plain.gates(),
            mandate));
  }

  private OperationView attended(OpenAttemptRule rule) {
    ClaimRequest plain = request(document);
    AttendRequest request =
        new AttendRequest(
            document.scope(),
            document.operation(),
            document.fingerprint(),
            document.generation(),
            rule,
            plain.policy(),
            plain.worker(),
            plain.origin());
    return bed.jooq.attend(request.boundTo(mandate)).orElseThrow();
  }

  private static Claim superseded() {
    return new Claim.Superseded(new Generation(1));
  }

  private void isListed() {
    assertThat(acts.list(AwaitingQuery.all().in(document.scope())))
        .filteredOn(waiting -> waiting.operation().equals(document.operation()))
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.parkedReason()).isEqualTo("superseded"));
  }

  @ParameterizedTest
  @MethodSource("rulesThatClaimsGoOnBy")
  void the_claim_that_is_refused_parks_it_and_it_is_listed(OpenAttemptRule rule) {
    bed.claimBriefly(document);
    rotate();

    assertThat(claimBound(rule)).isEqualTo(superseded());

    document().isParkedFor("superseded").hasReceipts(0);
    countsItsOpenAttempts(1);
    isListed();
    assertThat(claimBound(rule)).isEqualTo(superseded());
  }

  @ParameterizedTest
  @MethodSource("rulesThatClaimsGoOnBy")
  void a_look_parks_it_too_once_the_binding_was_rotated(OpenAttemptRule rule) {
    bed.claimBriefly(document);
    assertThat(attended(rule).parkedReason()).isNull();
    rotate();

    assertThat(attended(rule).parkedReason()).isEqualTo("superseded");

    isListed();
  }

  @Test
  void where_only_a_person_could_tell_anyway_that_is_the_reason() {
    bed.claimBriefly(document);
    rotate();

    claimBound(new OpenAttemptRule.ParkWhileOpen());

    document().isParkedFor("open_attempt");
  }

  @Test
  void what_was_rolled_back_with_its_transaction_waits_for_nobody() {
    bed.claimBriefly(document);
    rotate();

    assertThat(claimBound(new OpenAttemptRule.RolledBack())).isEqualTo(superseded());
    attended(new OpenAttemptRule.RolledBack());

    document().has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void a_live_holder_goes_on() {
    Lease holder = bed.claim(document);
    rotate();

    assertThat(claimBound(ASK_FIRST)).isEqualTo(superseded());
    attended(ASK_FIRST);

    document().isInState(OperationState.IN_PROGRESS).wasLastClaimedBy(holder);
  }

  @Test
  void with_no_attempt_open_nobody_is_asked() {
    end(bed.claim(document), REFUSED);
    rotate();

    claimBound(ASK_FIRST);
    attended(ASK_FIRST);

    document().has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void its_late_success_completes_it_all_the_same() {
    Lease late = bed.claimBriefly(document);
    rotate();
    claimBound(ASK_FIRST);

    settle(late, "effect-1");
    claimBound(ASK_FIRST);

    assertThat(attended(ASK_FIRST).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void a_person_carries_it_on_and_the_contract_goes_on() {
    bed.claimBriefly(document);
    rotate();
    claimBound(SAME_KEY);

    done(rebind(Mode.CARRY));

    document().isInState(OperationState.UNKNOWN).has(OPERATION.ATTENTION_AT, null);
    countsItsOpenAttempts(1);
    assertThat(claimIn(1, SAME_KEY)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_person_who_knows_that_nothing_happened_ends_the_wait() {
    bed.claimBriefly(document);
    rotate();
    claimBound(ASK_FIRST);

    done(resolve(didNotHappenWhateverMayLand()));

    document().isInState(OperationState.UNKNOWN).has(OPERATION.PARKED_REASON, null);
    countsItsOpenAttempts(0);
  }

  /** The upstream says that nothing happened, and a witness of the older generation that it did. */
  @Test
  void beside_a_witness_that_was_set_aside_nothing_is_dispatched_before_a_person_has_looked() {
    Lease late = bed.claimBriefly(document);
    done(rebind(Mode.CARRY));
    settle(late, "effect-1");
    Claim.Reconcile asks = (Claim.Reconcile) claimIn(1, ASK_FIRST);

    assertThat(bed.jooq.reconcile(asks.lease(), new Finding.DidNotHappen(Finding.Finality.FENCED)))
        .isEqualTo(new ReconcileOutcome.Parked("other_generation"));

    document().isParkedFor("other_generation");
  }
}
