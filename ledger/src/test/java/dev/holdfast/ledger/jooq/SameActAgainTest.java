package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
