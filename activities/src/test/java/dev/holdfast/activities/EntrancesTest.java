package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ways on which a call comes to a fenced activity. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EntrancesTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  EntrancesTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private WorkerFactory factory() {
    return bed.factory(
        WorkerFactoryOptions.newBuilder().setPlugins(WorkerBed.plugin(ledger.pool(4))).build());
  }

  private CallWorkflow on(String queue) {
    return bed.temporal()
        .getWorkflowClient()
        .newWorkflowStub(
            CallWorkflow.class, WorkflowOptions.newBuilder().setTaskQueue(queue).build());
  }

  @Test
  void activities_on_virtual_threads_are_protected() throws Exception {
    Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
    WorkerFactory factory = factory();
    Worker worker =
        factory.newWorker(
            "virtual", WorkerOptions.newBuilder().setUsingVirtualThreads(true).build());
    worker.registerWorkflowImplementationTypes(CallWorkflow.Impl.class);
    worker.registerActivitiesImplementations(
        EffectActivities.of(
            request -> {
              virtual.add(Thread.currentThread().isVirtual());
              return upstream.dispatch("x");
            }));
    factory.start();

    // each key twice, all side by side
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      calls.add(
          WorkflowClient.execute(on("virtual")::call, Call.once("v" + i / 2, "x").attempts(0)));
    }
    for (CompletableFuture<String> call : calls) {
      assertThat(call.get(60, SECONDS)).isEqualTo("did x");
    }

    assertThat(virtual).containsExactly(true);
    assertThat(upstream.requests()).isEqualTo(6);
  }

  @Test
  void several_workers_and_task_queues_of_one_process_share_one_ledger() throws Exception {
    WorkerFactory one = factory();
    start(one, "queue 1");
    start(one, "queue 2");
    WorkerFactory another = factory();
    start(another, "queue 3");
    one.start();
    another.start();

    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (String queue : List.of("queue 1", "queue 2", "queue 3")) {
      calls.add(WorkflowClient.execute(on(queue)::call, Call.once("shared", "x").attempts(0)));
      calls.add(WorkflowClient.execute(on(queue)::call, Call.once(queue, "x")));
    }
    for (CompletableFuture<String> call : calls) {
      assertThat(call.get(60, SECONDS)).isEqualTo("did x");
    }

    assertThat(upstream.requests()).isEqualTo(4);
    assertThat(rows.state("shared")).isEqualTo("completed, 0 open");
  }

  private void start(WorkerFactory factory, String queue) {
    Worker worker = factory.newWorker(queue);
    worker.registerWorkflowImplementationTypes(CallWorkflow.Impl.class);
    worker.registerActivitiesImplementations(EffectActivities.of(r -> upstream.dispatch("x")));
  }

  @Test
  void with_and_without_the_header_it_is_the_same_operation() {
    bed.startApart(ledger.dataSource(), EffectActivities.of(r -> upstream.dispatch("x")));

    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("typed first", "x")))
        .isEqualTo("did x");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "typed first", "x", 1))
        .isEqualTo("did x");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "untyped first", "x", 1))
        .isEqualTo("did x");
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("untyped first", "x")))
        .isEqualTo("did x");

    assertThat(upstream.requests()).isEqualTo(2);
  }

  /** The same activity, in a program that has not heard of its protection yet. */
  @ActivityInterface
  public interface OlderEffects {
    @Nullable String effect(String key, String request);
  }

  private record OlderEffectsImpl(AtomicInteger runs) implements OlderEffects {
    @Override
    public @Nullable String effect(String key, String request) {
      return "unprotected " + runs.incrementAndGet();
    }
  }

  @Test
  void a_worker_whose_method_is_not_marked_refuses_what_the_workflow_takes_for_fenced() {
    AtomicInteger runs = new AtomicInteger();
    bed.startApart(ledger.dataSource(), new OlderEffectsImpl(runs));

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(CallWorkflow.class).call(Call.once("older", "x").attempts(2)));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("undeclared");
    assertThat(failure.isNonRetryable()).as("a newer worker may take the retry").isFalse();
    assertThat(runs).hasValue(0);
    assertThat(rows.state("older")).isEqualTo("none");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "older", "x", 1))
        .isEqualTo("unprotected 1");
  }
}
