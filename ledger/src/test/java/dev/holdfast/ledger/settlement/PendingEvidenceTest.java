package dev.holdfast.ledger.settlement;

import static dev.holdfast.ledger.settlement.Example.TUPLE;
import static dev.holdfast.ledger.settlement.Example.attempt;
import static dev.holdfast.ledger.settlement.Example.failed;
import static dev.holdfast.ledger.settlement.Example.succeeded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.settlement.Example.Evidence;
import dev.holdfast.ledger.settlement.Example.Part;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PendingEvidenceTest {
  private static final SettlementPolicy CONFLICT = SettlementPolicy.STANDARD;
  private static final SettlementPolicy FIRST_COMMIT =
      new SettlementPolicy(PayloadPolicy.FIRST_COMMIT_WINS, TerminalPolicy.FIRST_COMMIT_WINS);

  private final Evidence first = new Evidence(succeeded(1, 1));
  private final Evidence sameEffect = new Evidence(succeeded(1, 2));
  private final Evidence otherEffect = new Evidence(succeeded(2, 2));

  @Test
  void one_success_completes() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void two_witnesses_of_one_effect_complete_with_the_first() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first, sameEffect), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void of_two_effects_neither_is_ignored() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first, otherEffect), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
  }

  @Test
  void of_two_effects_the_first_commit_wins_where_that_is_the_policy() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(otherEffect, first), Set.of(), FIRST_COMMIT))
        .isEqualTo(new PickUp.Completes<>(otherEffect));
  }

  @Test
  void evidence_of_another_tuple_is_passed_over() {
    Evidence stale =
        new Evidence(
            new Observation.Succeeded(
                Example.differingIn(EnumSet.of(Part.EPOCH)),
                Example.effect(2),
                Example.attempt(2)));

    assertThat(PendingEvidence.pickUp(TUPLE, List.of(stale), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Nothing<>());
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(stale, first), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void a_rival_that_made_a_second_effect_gets_no_receipt() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), succeeded(2, 2), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
  }

  @Test
  void a_rival_that_saw_the_same_effect_completes_with_what_was_stored_first() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), succeeded(1, 2), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void a_rival_that_failed_does_not_bury_a_stored_success() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), failed(2), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void a_failure_of_the_very_attempt_that_is_stored_as_a_success_is_a_conflict() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), failed(1), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), failed(1), Set.of(), FIRST_COMMIT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void without_stored_evidence_the_holders_own_verdict_stands() {
    assertThat(
            PendingEvidence.pickUp(TUPLE, List.<Evidence>of(), succeeded(1, 1), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Nothing<>());
  }

  @Test
  void a_success_of_an_attempt_that_is_on_record_as_failed_is_a_conflict() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), Set.of(attempt(1)), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), Set.of(attempt(1)), FIRST_COMMIT))
        .isEqualTo(new PickUp.Completes<>(first));
  }

  @Test
  void any_witness_of_the_effect_that_failed_too_is_a_conflict() {
    assertThat(
            PendingEvidence.pickUp(TUPLE, List.of(first, sameEffect), Set.of(attempt(2)), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
    assertThat(
            PendingEvidence.pickUp(
                TUPLE, List.of(first), succeeded(1, 2), Set.of(attempt(2)), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
    assertThat(
            PendingEvidence.pickUp(
                TUPLE, List.of(first, sameEffect), failed(2), Set.of(), CONFLICT))
        .isEqualTo(new PickUp.Conflicts<>());
  }

  @Test
  void a_failure_of_an_attempt_that_saw_no_effect_denies_none() {
    assertThat(PendingEvidence.pickUp(TUPLE, List.of(first), Set.of(attempt(2)), CONFLICT))
        .isEqualTo(new PickUp.Completes<>(first));
  }
}
