package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationRef;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompletionGateTest {
  private static final OperationRef EXPORT = Refs.ref("Export", "e-1");

  private static String gated() {
    FencedActivities.requireCompleted(EXPORT);
    return Bench.stub().plain("share");
  }

  @Test
  void a_completed_operation_opens_the_gate_and_is_asked_for_with_its_whole_reference() {
    try (Bench bench = Bench.fenced(CompletionGateTest::gated)) {
      bench.ledger.then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));

      assertThat(bench.run()).isEqualTo("found");
      assertThat(bench.ledger.queries).containsExactly(LookupQuery.of(EXPORT));
    }
  }

  @Test
  void several_operations_open_it_together() {
    OperationRef other = Refs.ref("Export", "e-2");
    try (Bench bench =
        Bench.fenced(
            () -> {
              FencedActivities.requireCompleted(List.of(EXPORT, other));
              return "open";
            })) {
      bench
          .ledger
          .then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null))
          .then(ScriptedLedger.row(LookedUp.State.FAILED, 0));

      assertClosed(bench, HoldfastFailures.GATE_CLOSED, true);
      assertThat(bench.ledger.queries)
          .containsExactly(LookupQuery.of(EXPORT), LookupQuery.of(other));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LookedUp.State.class,
      names = {"UNKNOWN", "PARKED", "IN_PROGRESS"})
  void what_may_still_complete_closes_the_gate_for_now(LookedUp.State state) {
    try (Bench bench = Bench.fenced(CompletionGateTest::gated)) {
      bench.ledger.then(ScriptedLedger.row(state, 1));

      assertClosed(bench, HoldfastFailures.GATE_CLOSED, false);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LookedUp.State.class,
      names = {"OTHER_TUPLE", "FAILED", "CONFLICT"})
  void what_cannot_complete_any_more_closes_it_for_good(LookedUp.State state) {
    try (Bench bench = Bench.fenced(CompletionGateTest::gated)) {
      bench.ledger.then(ScriptedLedger.row(state, 0));

      assertClosed(bench, HoldfastFailures.GATE_CLOSED, true);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LookedUp.State.class,
      names = {"ABSENT", "WENT_BACK"})
  void a_receipt_that_is_gone_is_a_ledger_that_went_back(LookedUp.State state) {
    try (Bench bench = Bench.fenced(CompletionGateTest::gated)) {
      bench.ledger.then(ScriptedLedger.row(state, 0));

      assertClosed(bench, HoldfastFailures.LEDGER_WENT_BACK, false);
    }
  }

  private static void assertClosed(Bench bench, String type, boolean forGood) {
    assertThatThrownBy(bench::run)
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(type);
              assertThat(failure.isNonRetryable()).isEqualTo(forGood);
              assertThat(failure.getOriginalMessage()).doesNotContain("e-1");
            });
    assertThat(bench.exports.executions).hasValue(0);
  }
}
