package io.temporal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.internal.LedgerLookup;
import io.temporal.activity.DynamicActivity;
import io.temporal.internal.activity.ActivityTaskHandlerImpl;
import io.temporal.serviceclient.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The one class that reaches into the SDK, on each supported version of it. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HoldfastBridgeTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();

  HoldfastBridgeTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private WorkerFactory factory(WorkerPlugin... plugins) {
    return bed.factory(WorkerFactoryOptions.newBuilder().setPlugins(plugins).build());
  }

  @Test
  void this_is_the_version_of_the_sdk_that_is_to_be_tested() {
    String expected = System.getProperty("expected.sdk.version", Version.LIBRARY_VERSION);

    assertThat(Version.LIBRARY_VERSION).isEqualTo(expected);
  }

  @Test
  void it_reads_the_registered_activities_dynamic_ones_included() throws Exception {
    Worker worker = factory().newWorker("some queue");
    EffectActivities activity = EffectActivities.of(request -> request);
    DynamicActivity dynamic = arguments -> null;
    worker.registerActivitiesImplementations(activity, dynamic);

    assertThat(HoldfastBridge.registeredActivities(worker))
        .containsExactlyInAnyOrder(activity, dynamic);
  }

  @Test
  void it_reads_none_on_a_worker_that_runs_local_activities_only() throws Exception {
    Worker worker =
        factory()
            .newWorker(
                "some queue", WorkerOptions.newBuilder().setLocalActivityWorkerOnly(true).build());

    assertThat(HoldfastBridge.registeredActivities(worker)).isEmpty();
  }

  @Test
  void a_worker_that_runs_workflows_only_has_the_look_up_and_polls_for_no_activity() {
    Upstream upstream = new Upstream();
    WorkerFactory workflows = factory(WorkerBed.plugin(ledger.dataSource()));
    Worker worker = workflows.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(CallWorkflow.Impl.class);
    workflows.start();

    assertThat(worker.activityWorker.isAnyTypeSupported()).isFalse();
    assertThat(HoldfastBridgeTest.knowsLookup(worker)).isTrue();

    Worker activities = startActivities(upstream);
    for (int i = 0; i < 5; i++) {
      assertThat(bed.workflow(CallWorkflow.class).call(Call.once("poller " + i, "x")))
          .as("one attempt is enough: nobody else took the task")
          .isEqualTo("did x");
    }
    assertThat(activities.activityWorker.isAnyTypeSupported()).isTrue();
  }

  private Worker startActivities(Upstream upstream) {
    WorkerFactory factory = factory(WorkerBed.plugin(ledger.dataSource()));
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerActivitiesImplementations(EffectActivities.of(r -> upstream.dispatch("x")));
    factory.start();
    return worker;
  }

  @Test
  void two_plugins_on_one_worker_do_not_clash_and_put_one_barrier_around_an_activity() {
    Upstream upstream = new Upstream();
    bed.start(
        WorkerFactoryOptions.newBuilder()
            .setPlugins(
                WorkerBed.plugin(ledger.dataSource()), WorkerBed.plugin(ledger.dataSource()))
            .build(),
        EffectActivities.of(request -> upstream.dispatch("x")));

    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("twice", "x"))).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  private static boolean knowsLookup(Worker worker) {
    try {
      var handler = worker.workflowWorker.getClass().getDeclaredField("laTaskHandler");
      handler.setAccessible(true);
      return handler.get(worker.workflowWorker) instanceof ActivityTaskHandlerImpl found
          && found.isTypeSupported(LedgerLookup.TYPE);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("laTaskHandler", e);
    }
  }
}
