package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An act that is ordered again under its id is answered as it was, whatever came after it. */
class SameActAgainTest extends ActBed {
  SameActAgainTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  static List<Decision> decisions() {
    return List.of(happened("effect-1"), didNotHappenWhateverMayLand(), failed());
  }

  static List<Decision> ofConflicts() {
    return List.of(happened("effect-2"), receiptStands(), failed());
  }

  private void isAnsweredAsBefore(ActTerms terms, Decision decision) {
    ActOutcome first = done(acts.resolve(terms, decision));
    assertThat(acts.resolve(terms, decision)).isEqualTo(first);

    moveOn();

    assertThat(acts.resolve(terms, decision)).isEqualTo(first);
    assertThat(story().acts()).extracting(OperationStory.Act::id).containsOnlyOnce(terms.id());
  }

  /** Run again by another person's order, and settled. */
  private void moveOn() {
    if (story().operation().state() != OperationState.UNKNOWN) {
      done(acts.reopen(terms(document), true));
    }
    settle(bed.claim(document), "effect-of-later");
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void a_decision_is_answered_as_it_was(Decision decision) {
    bed.claimBriefly(document);
    bed.claimBriefly(document);
    passTheHorizon();

    isAnsweredAsBefore(terms(document), decision);
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void of_a_parked_operation_it_tells_that_it_was_parked(Decision decision) {
    parked();
    passTheHorizon();

    isAnsweredAsBefore(terms(document), decision);
  }

  @ParameterizedTest
  @MethodSource("ofConflicts")
  void of_a_conflict_it_tells_the_receipt_that_stood_then(Decision decision) {
    conflict("effect-1");

    isAnsweredAsBefore(terms(document), decision);
  }

  @Test
  void of_a_conflict_without_receipt_it_tells_the_failure() {
    conflictWithoutReceipt();

    isAnsweredAsBefore(terms(document), happened("effect-1"));
  }

  @Test
  void what_two_witnesses_made_of_it_is_told_again() {
    bed.claimBriefly(document);
    settle(bed.claimBriefly(document), "effect-1");
    passTheHorizon();

    ActTerms terms = terms(document);
    ActOutcome.Done first = done(acts.resolve(terms, happened("effect-2")));

    assertThat(first.after()).isEqualTo(OperationState.CONFLICT);
    assertThat(acts.resolve(terms, happened("effect-2"))).isEqualTo(first);
  }

  @Test
  void what_was_reopened_is_told_as_it_was_settled() {
    settle(bed.claim(document), "effect-1");
    ActTerms terms = terms(document);
    ActOutcome first = done(acts.reopen(terms, true));

    settle(bed.claim(document), "effect-2");

    assertThat(acts.reopen(terms, true)).isEqualTo(first);
    assertThat(bed.stored(document).get(OPERATION.EPOCH)).isEqualTo(1);
  }

  @Test
  void what_had_failed_and_was_reopened_is_told_with_its_failure() {
    end(bed.claim(document), FAILED);
    ActTerms terms = terms(document);
    ActOutcome first = done(acts.reopen(terms, true));

    assertThat(acts.reopen(terms, true)).isEqualTo(first);
  }

  @Test
  void another_order_under_its_id_is_refused() {
    parked();
    passTheHorizon();
    ActTerms terms = terms(document);
    done(acts.resolve(terms, didNotHappen()));

    isRefused(acts.resolve(terms, failed()));
    isRefused(acts.reopen(terms, true));
    isRefused(acts.resolve(withActor(terms, "bob"), didNotHappen()));
    Reservation other = fresh();
    bed.claimBriefly(other);
    isRefused(acts.resolve(on(other, terms), didNotHappen()));

    assertThat(story().acts()).hasSize(1);
    assertThat(bed.stored(other).get(OPERATION.OPEN_ATTEMPTS)).isEqualTo(1);
  }

  private static Decision.Happened told(
      String effect, int status, String shown, StoredResult result, @Nullable ClaimId attempt) {
    return new Decision.Happened(
        new EffectId(effect), status, Sha256.ofUtf8(shown), result, attempt);
  }

  static Stream<Arguments> pairs() {
    StoredResult result = SettlementBed.result("as told");
    Decision.Happened happened = told("A", 200, "shown", result, null);
    Stream<Decision> ofAnEffect =
        Stream.of(
            told("B", 200, "shown", result, null),
            told("A", 201, "shown", result, null),
            told("A", 200, "shown later", result, null),
            told("A", 200, "shown", SettlementBed.result("as told later"), null),
            told("A", 200, "shown", new StoredResult.NoValue(), null),
            told("A", 200, "shown", new StoredResult.NotStored(SHOWN), null));
    Decision failed = failed();
    Stream<Decision> ofNone =
        Stream.of(
            new Decision.Failed(new SettledFailure("refunded", NO_SUCH.status()), false),
            new Decision.Failed(new SettledFailure(NO_SUCH.code(), 410), false),
            new Decision.Failed(NO_SUCH, true));
    return Stream.of(
            ofAnEffect.map(other -> arguments(happened, other)),
            ofNone.map(other -> arguments(failed, other)),
            Stream.of(arguments(didNotHappen(), didNotHappenWhateverMayLand())))
        .flatMap(pairs -> pairs);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void another_decision_under_its_id_is_refused_and_changes_nothing(
      Decision decision, Decision other) {
    parked();
    passTheHorizon();
    ActTerms terms = terms(document);
    ActOutcome first = done(acts.resolve(terms, decision));
    OperationStory before = story();

    isRefused(acts.resolve(terms, other));

    assertThat(story().operation().revision()).isEqualTo(before.operation().revision());
    assertThat(story().acts()).isEqualTo(before.acts());
    assertThat(acts.resolve(terms, decision)).isEqualTo(first);
  }

  @Test
  void whose_effect_it_was_is_part_of_the_order() {
    Lease lease = parked();
    ActTerms terms = terms(document);
    StoredResult result = SettlementBed.result("as told");
    done(acts.resolve(terms, told("A", 200, "shown", result, null)));

    isRefused(acts.resolve(terms, told("A", 200, "shown", result, lease.claimId())));
  }

  @Test
  void the_force_of_a_reopen_is_part_of_the_order_and_the_expected_revision_is_not() {
    settle(bed.claim(document), "effect-1");
    ActTerms terms = terms(document);
    ActOutcome first = done(acts.reopen(terms, true));

    isRefused(acts.reopen(terms, false));
    assertThat(acts.reopen(expecting(terms, revision()), true)).isEqualTo(first);
  }

  private static ActTerms expecting(ActTerms terms, Revision revision) {
    return new ActTerms(
        terms.id(),
        terms.scope(),
        terms.operation(),
        revision,
        terms.actor(),
        terms.reason(),
        false);
  }

  private static void isRefused(ActOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class, not -> assertThat(not.cure()).contains("fresh id"));
  }

  private static ActTerms withActor(ActTerms terms, String actor) {
    return new ActTerms(
        terms.id(), terms.scope(), terms.operation(), null, actor, terms.reason(), false);
  }

  private static ActTerms on(Reservation other, ActTerms terms) {
    return new ActTerms(
        terms.id(), other.scope(), other.operation(), null, terms.actor(), terms.reason(), false);
  }

  @Test
  void ordered_twice_at_once_it_is_done_once() throws Exception {
    for (int round = 0; round < 20; round++) {
      Reservation operation = fresh();
      bed.claimBriefly(operation);
      ActTerms terms = terms(operation);

      List<ActOutcome> answers =
          Contenders.race(2, 1, (who, once) -> acts.resolve(terms, didNotHappenWhateverMayLand()))
              .getFirst();

      assertThat(answers).hasOnlyElementsOfType(ActOutcome.Done.class);
      assertThat(answers.getFirst()).isEqualTo(answers.getLast());
      assertThat(bed.stored(operation).attempts()).hasSize(1);
    }
  }
}
