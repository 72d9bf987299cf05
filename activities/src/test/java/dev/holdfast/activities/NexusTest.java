package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NexusBed;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Effects behind Nexus operations. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NexusTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  NexusTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @BeforeEach
  void start() {
    var unused = bed.temporal().createNexusEndpoint(NexusBed.ENDPOINT, WorkerBed.QUEUE);
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(CallWorkflow.Impl.class, NexusBed.CallerImpl.class);
    worker.registerActivitiesImplementations(EffectActivities.of(r -> upstream.dispatch("x")));
    worker.registerNexusServiceImplementation(new NexusBed.Handlers(upstream));
    factory.start();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void an_operation_that_is_a_workflow_calls_its_fenced_activities_as_ever() {
    assertThat(bed.workflow(NexusBed.Caller.class).call(true, "nexus")).isEqualTo("did x");
    assertThat(bed.workflow(NexusBed.Caller.class).call(true, "nexus")).isEqualTo("did x");

    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("nexus")).isEqualTo("completed, 0 open");
  }

  @Test
  void an_effect_in_the_handler_itself_is_refused_by_name_and_not_tried_again() {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(NexusBed.Caller.class).call(false, "handler"));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getOriginalMessage()).contains("no fenced activity runs");
    assertThat(upstream.requests()).isZero();
  }
}
