package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which changes of an activity's annotation running workflows bear: the page on adopting. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AdoptingTest {
  /** As it was before it was fenced. */
  @ActivityInterface
  public interface Unfenced {
    /** Not fenced. */
    String find(String id);
  }

  /** As it is. */
  @ActivityInterface
  public interface Waiting {
    /** Fenced. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String find(@OperationKey String id);
  }

  /** In another scope. */
  @ActivityInterface
  public interface InRun {
    /** Fenced. */
    @Fenced(upstream = UpstreamContract.OPAQUE, keyScope = KeyScope.RUN)
    String find(@OperationKey String id);
  }

  /** Under another contract, another name and another resource. */
  @ActivityInterface
  public interface Renamed {
    /** Fenced. */
    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        operation = "search",
        resource = "index")
    String find(@OperationKey String id);
  }

  /** One that does not wait. */
  @ActivityInterface
  public interface Failing {
    /** Fenced. */
    @Fenced(upstream = UpstreamContract.OPAQUE, whenUnknown = WhenUnknown.FAIL)
    String find(@OperationKey String id);
  }

  private static <T> T stub(Class<T> type) {
    return Workflow.newActivityStub(type, Bench.options());
  }

  /** Calls it, and something else where it fails. */
  private static Supplier<String> calling(Supplier<Function<String, String>> find) {
    return () -> {
      try {
        return find.get().apply("e-1");
      } catch (ActivityFailure e) {
        return Bench.stub().plain("instead");
      }
    };
  }

  private static final Supplier<String> UNFENCED = calling(() -> stub(Unfenced.class)::find);
  private static final Supplier<String> WAITING = calling(() -> stub(Waiting.class)::find);
  private static final Supplier<String> IN_RUN = calling(() -> stub(InRun.class)::find);
  private static final Supplier<String> RENAMED = calling(() -> stub(Renamed.class)::find);
  private static final Supplier<String> FAILING = calling(() -> stub(Failing.class)::find);

  private static WorkflowExecutionHistory successOf(Supplier<String> script) {
    try (Bench bench = Bench.fenced(script)) {
      assertThat(bench.run()).isNotNull();
      return bench.history();
    }
  }

  /** Of one that fails, and after which the ledger says this. */
  private static WorkflowExecutionHistory failureOf(Supplier<String> script, LookedUp... rows) {
    try (Bench bench = Bench.skippingTime(script)) {
      for (LookedUp row : rows) {
        bench.ledger.then(row);
      }
      bench.exports.finding =
          () -> {
            bench.exports.finding = () -> "later";
            throw ApplicationFailure.newNonRetryableFailure("no", "No");
          };
      assertThat(bench.run()).isNotNull();
      return bench.history();
    }
  }

  private static LookedUp stored() {
    byte[] stored =
        DefaultDataConverter.newDefaultInstance().toPayload("late").orElseThrow().toByteArray();
    return ScriptedLedger.completed(LookedUp.ResultKind.VALUE, StoredPayload.ofBytes(stored));
  }

  private static void assertReplays(WorkflowExecutionHistory history, Supplier<String> script) {
    try (Bench bench = Bench.fenced(script)) {
      assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(history, bench.worker))
          .doesNotThrowAnyException();
    }
  }

  private static void assertBreaks(WorkflowExecutionHistory history, Supplier<String> script) {
    try (Bench bench = Bench.fenced(script)) {
      assertThatThrownBy(() -> WorkflowReplayer.replayWorkflowExecution(history, bench.worker))
          .isNotNull();
    }
  }

  @Test
  void an_annotation_that_is_added_replays_after_a_success_and_after_a_failure() {
    assertReplays(successOf(UNFENCED), WAITING);
    assertReplays(failureOf(UNFENCED), WAITING);
  }

  @Test
  void an_annotation_that_is_taken_away_replays_unless_a_failure_was_settled() {
    assertReplays(successOf(WAITING), UNFENCED);
    assertBreaks(failureOf(WAITING, stored()), UNFENCED);
  }

  @Test
  void another_key_scope_replays_whatever_happened() {
    assertReplays(successOf(WAITING), IN_RUN);
    assertReplays(failureOf(WAITING, stored()), IN_RUN);
  }

  @Test
  void another_contract_operation_or_resource_replays_whatever_happened() {
    assertReplays(successOf(WAITING), RENAMED);
    assertReplays(failureOf(WAITING, stored()), RENAMED);
  }

  @Test
  void another_answer_to_the_unknown_replays_unless_a_person_was_awaited() {
    assertReplays(successOf(WAITING), FAILING);
    assertReplays(failureOf(WAITING, stored()), FAILING);
    LookedUp parked = ScriptedLedger.row(LookedUp.State.PARKED, 1);
    assertBreaks(failureOf(WAITING, parked, stored()), FAILING);
    assertBreaks(failureOf(FAILING, parked), WAITING);
  }

  @Test
  void a_call_that_asks_for_the_reference_replays_where_a_value_came_back() {
    Supplier<String> captured =
        calling(() -> id -> FencedActivities.call(stub(Waiting.class)::find, id).value());

    assertReplays(successOf(WAITING), captured);
    assertReplays(failureOf(WAITING, stored()), captured);
    assertReplays(successOf(captured), WAITING);
  }

  private static String delete() {
    try {
      Bench.stub().delete("e-1");
      return "deleted";
    } catch (IOException e) {
      throw Workflow.wrap(e);
    }
  }

  @Test
  void one_that_asks_for_the_reference_of_nothing_looks_it_up_and_breaks() {
    Supplier<String> captured =
        () -> "" + FencedActivities.run(Bench.stub()::delete, "e-1").replayed();
    WorkflowExecutionHistory plain = successOf(AdoptingTest::delete);

    assertThat(plain.getEvents()).noneMatch(event -> event.hasMarkerRecordedEventAttributes());
    assertReplays(plain, AdoptingTest::delete);
    assertBreaks(withTimer(AdoptingTest::delete), afterwards(captured));
  }

  private static Supplier<String> afterwards(Supplier<String> script) {
    return () -> {
      String done = script.get();
      Workflow.sleep(Duration.ofMillis(10));
      return done;
    };
  }

  private static WorkflowExecutionHistory withTimer(Supplier<String> script) {
    return successOf(afterwards(script));
  }

  private static void gate() {
    FencedActivities.requireCompleted(Refs.ref("Export", "e-1"));
  }

  @Test
  void a_gate_in_the_workflow_is_a_change_of_the_workflow_and_needs_a_version() {
    Supplier<String> bare =
        () -> {
          gate();
          return UNFENCED.get();
        };
    Supplier<String> versioned =
        () -> {
          if (Workflow.getVersion("gate", Workflow.DEFAULT_VERSION, 1) == 1) {
            gate();
          }
          return UNFENCED.get();
        };
    WorkflowExecutionHistory before = successOf(UNFENCED);

    assertBreaks(before, bare);
    assertReplays(before, versioned);
  }
}
