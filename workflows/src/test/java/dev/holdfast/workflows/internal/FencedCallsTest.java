package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationId;
import dev.holdfast.Scope;
import dev.holdfast.Settled;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.DynamicActivity;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FencedCallsTest {
  private static String call() {
    Exports exports = Bench.stub();
    Settled<Exports.Document> settled = FencedActivities.call(exports::export, "e-1", "pdf");
    return settled.value() + " " + settled.ref().receipt() + " " + settled.replayed();
  }

  @Test
  void call_returns_value_and_reference_through_references_to_throwing_methods() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              Settled<Exports.Document> two = FencedActivities.call(exports::export, "e-1", "pdf");
              Settled<Exports.Document> one = FencedActivities.call(exports::exportPlainly, "e-2");
              return two.value() + " " + two.ref().operation().key() + " " + one.value().pages();
            })) {
      assertThat(bench.run()).isEqualTo("Document[id=d-1, pages=3] e-1 3");
    }
  }

  @Test
  void call_works_under_a_codec_that_decodes_only_what_it_encoded() {
    try (Bench bench = Bench.encrypted(FencedCallsTest::call)) {
      assertThat(bench.run()).isEqualTo("Document[id=d-1, pages=3] 9007199254740993 false");
      assertThat(bench.workerSide.header("Export").scope()).isEqualTo(new Scope("tenant"));
    }
  }

  @Test
  void a_call_inside_a_call_leaves_the_outer_one_its_reference() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              var outer =
                  FencedActivities.call(
                      id -> exports.find(FencedActivities.call(exports::once, id).value()), "e-1");
              return outer.value() + " " + outer.ref().operation().key();
            })) {
      assertThat(bench.run()).isEqualTo("found e-1");
    }
  }

  // case A14
  @Test
  void a_generic_result_keeps_its_element_type() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              Settled<List<Exports.Document>> all =
                  FencedActivities.call(exports::exportAll, "e-1");
              return "" + all.value().getFirst().pages();
            })) {
      assertThat(bench.run()).isEqualTo("3");
    }
  }

  // case B1
  @Test
  void null_is_a_value_and_brings_its_reference() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              var found = FencedActivities.call(exports::find, "e-1");
              return found.value() + " " + found.ref().operation().key();
            })) {
      bench.exports.finding = () -> null;

      assertThat(bench.run()).isEqualTo("null e-1");
      assertThat(bench.ledger.queries).isEmpty();
    }
  }

  @Test
  void run_gets_its_reference_by_the_look_up_because_void_has_no_payload() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              var deleted = FencedActivities.run(exports::delete, "e-1");
              return (deleted.value() == null)
                  + " "
                  + deleted.ref().operation().key()
                  + deleted.replayed();
            })) {
      bench.workerSide.sendsReference = false;
      bench.ledger.then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));

      assertThat(bench.run()).isEqualTo("true e-1true");
      assertThat(bench.ledger.queries)
          .singleElement()
          .satisfies(
              query -> assertThat(query.operation()).isEqualTo(new OperationId("Delete", "e-1")));
    }
  }

  @Test
  void async_forms_run_side_by_side() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              Promise<Settled<Exports.Document>> one =
                  FencedActivities.callAsync(exports::export, "e-1", "pdf");
              Promise<Settled<Exports.Document>> two =
                  FencedActivities.callAsync(exports::exportPlainly, "e-2");
              Promise<?> three = FencedActivities.runAsync(exports::delete, "e-3");
              three.get();
              return one.get().value().id() + two.get().ref().operation().key();
            })) {
      bench.ledger.then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));
      bench.workerSide.sendsReference = true;

      assertThat(bench.run()).isEqualTo("d-1e-1");
      assertThat(bench.scheduled()).isEqualTo(3);
    }
  }

  @Test
  void the_header_is_sent_however_a_typed_stub_is_called() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              Exports exports = Bench.stub();
              exports.exportAll("direct");
              Async.function(exports::find, "reference").get();
              Async.function(() -> exports.once("lambda")).get();
              FencedActivities.call(exports::share, "call", Refs.ref("Export", "e-1"));
              return "";
            })) {
      bench.run();

      assertThat(bench.workerSide.headers.keySet())
          .containsExactlyInAnyOrder("ExportAll", "Find", "Once", "Share");
      assertThat(bench.workerSide.headers.values()).allMatch(Optional::isPresent);
    }
  }

  @Test
  void the_header_carries_the_tuple_and_what_a_reset_keeps() {
    try (Bench bench = Bench.fenced(() -> Bench.stub().once("k"))) {
      WorkflowStub workflow = WorkflowStub.fromTyped(bench.start());
      workflow.getResult(String.class);

      OperationHeader header = bench.workerSide.header("Once");
      String run = Objects.requireNonNull(workflow.getExecution()).getRunId();
      assertThat(header.origin()).isEqualTo(new WorkflowOrigin(Bench.ID, run, run));
      assertThat(header.names(new OperationId("Once", run.length() + ":" + run + "1:k"))).isTrue();
      assertThat(header.scope()).isEqualTo(new Scope("tenant"));
      assertThat(header.fingerprint().scheme()).isEqualTo("fp1");
    }
  }

  @Test
  void an_activity_that_is_not_fenced_is_untouched() {
    try (Bench bench =
        Bench.fenced(
            () -> {
              try {
                return Bench.stub().plain("p");
              } catch (io.temporal.failure.ActivityFailure e) {
                return "failed";
              }
            })) {
      bench.exports.finding =
          () -> {
            throw ApplicationFailure.newNonRetryableFailure("no", "No");
          };

      assertThat(bench.run()).isEqualTo("failed");
      assertThat(bench.workerSide.headers.get("Plain")).isEmpty();
      assertThat(bench.ledger.queries).isEmpty();
    }
  }

  private static String untyped() {
    return Workflow.newUntypedActivityStub(Bench.options()).execute("Once", String.class, "k");
  }

  @Test
  void an_untyped_stub_has_no_method_so_no_header_is_sent() {
    try (Bench bench = Bench.fenced(FencedCallsTest::untyped)) {
      assertThat(bench.run()).isEqualTo("k");
      assertThat(bench.workerSide.headers.get("Once")).isEmpty();
    }
  }

  @Test
  void an_untyped_stub_is_known_by_an_interface_named_to_the_plugin() {
    try (Bench bench =
        Bench.fenced(FencedCallsTest::untyped, Bench.interceptor(List.of(Exports.class)))) {
      bench.run();

      assertThat(bench.workerSide.header("Once")).isNotNull();
    }
  }

  @Test
  void an_untyped_stub_is_known_by_activities_registered_in_the_same_factory() {
    FencedWorkflowInterceptor interceptor =
        new FencedWorkflowInterceptor(
            null, List.of(), () -> List.of(Dynamic.class, ScriptedExports.class), Bench.TIMES);
    try (Bench bench = Bench.fenced(FencedCallsTest::untyped, interceptor)) {
      bench.run();

      assertThat(bench.workerSide.header("Once").scope()).isEqualTo(new Scope("default"));
    }
  }

  /** Has no interface, and stands in the way of none. */
  private static final class Dynamic implements DynamicActivity {
    @Override
    public @Nullable Object execute(EncodedValues arguments) {
      return null;
    }
  }

  @Test
  void a_call_that_makes_no_fenced_activity_has_no_reference() {
    try (Bench bench =
        Bench.fenced(() -> FencedActivities.call(Bench.stub()::plain, "p").ref().toString())) {
      assertThatThrownBy(bench::run)
          .isInstanceOf(WorkflowFailedException.class)
          .cause()
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              failure -> assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE));
    }
  }

  // case A9, case A7
  @Test
  void a_key_that_is_none_is_refused_before_anything_is_scheduled() {
    refused(() -> Bench.stub().once("  "));
    refused(() -> Bench.stub().once("ju\u0308rgen"));
  }

  @Test
  void arguments_beyond_two_mebibytes_are_refused_before_anything_is_scheduled() {
    refused(
        () -> {
          try {
            return Bench.stub().export("e-1", "x".repeat(2 * 1024 * 1024)).id();
          } catch (java.io.IOException e) {
            throw Workflow.wrap(e);
          }
        });
  }

  private static void refused(Supplier<String> script) {
    try (Bench bench = Bench.fenced(script)) {
      assertThatThrownBy(bench::run)
          .isInstanceOf(WorkflowFailedException.class)
          .cause()
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              failure ->
                  assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION));
      assertThat(bench.scheduled()).isZero();
    }
  }
}
