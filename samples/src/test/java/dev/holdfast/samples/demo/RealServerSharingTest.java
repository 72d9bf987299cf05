package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.samples.sharing.ExportRequest;
import dev.holdfast.samples.sharing.ExportThenShareWorkflow;
import dev.holdfast.samples.sharing.ExportThenShareWorkflowImpl;
import dev.holdfast.samples.sharing.HttpExportActivities;
import dev.holdfast.samples.sharing.HttpShareActivities;
import dev.holdfast.samples.sharing.ShareRequest;
import dev.holdfast.samples.sharing.SharedLink;
import dev.holdfast.samples.upstream.Behaviour;
import dev.holdfast.samples.upstream.DocumentExporter;
import dev.holdfast.samples.upstream.SharePublisher;
import dev.holdfast.samples.upstream.Upstream;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowTargetOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import java.net.http.HttpClient;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The sample where resets exist and sizes, sticky queues and retries are the real ones. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class RealServerSharingTest {
  /** The history event that ends the first workflow task, before anything was scheduled. */
  private static final long FIRST_TASK_COMPLETED = 4;

  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private Upstream exporter;
  private Upstream publisher;

  RealServerSharingTest(RealServer temporal) {
    this.service = FencedWorker.connect(temporal.target());
  }

  @BeforeEach
  void start_the_upstreams() throws Exception {
    exporter = DocumentExporter.start(0);
    publisher = SharePublisher.start(0);
  }

  @AfterEach
  void stop() {
    exporter.close();
    publisher.close();
    service.shutdownNow();
    ledger.close();
  }

  @Test
  void export_then_share_has_one_effect_each() {
    try (FencedWorker worker = worker()) {
      SharedLink link = WorkflowStub.fromTyped(started()).getResult(SharedLink.class);

      assertThat(link.link()).isNotBlank();
    }
    assertThat(exporter.effects()).hasSize(1);
    assertThat(publisher.effects()).hasSize(1);
  }

  @Test
  void a_worker_that_restarts_during_the_export_leads_to_no_second_export() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    exporter.behave(
        new Behaviour.AnswerLate(
            () -> {
              arrived.countDown();
              answer.await();
            }));
    WorkflowStub workflow;
    try (FencedWorker first = worker()) {
      workflow = WorkflowStub.fromTyped(started());
      arrived.await();
      first.stopNow();
    }
    try (FencedWorker second = worker()) {
      SharedLink link = workflow.getResult(SharedLink.class);

      assertThat(link.link()).isNotBlank();
    } finally {
      answer.countDown();
    }
    assertThat(exporter.effects()).hasSize(1);
    assertThat(publisher.effects()).hasSize(1);
  }

  @Test
  void a_reset_workflow_replays_the_receipts() {
    try (FencedWorker worker = worker()) {
      WorkflowStub first = WorkflowStub.fromTyped(started());
      SharedLink link = first.getResult(SharedLink.class);

      WorkflowExecution execution = Objects.requireNonNull(first.getExecution());
      String again = reset(execution);
      SharedLink replayed =
          WorkflowClient.newInstance(service)
              .newUntypedWorkflowStub(
                  WorkflowTargetOptions.newBuilder()
                      .setWorkflowId(execution.getWorkflowId())
                      .setRunId(again)
                      .build())
              .getResult(SharedLink.class);

      assertThat(replayed).isEqualTo(link);
    }
    assertThat(exporter.requests()).isEqualTo(1);
    assertThat(publisher.requests()).isEqualTo(1);
  }

  private String reset(WorkflowExecution execution) {
    return service
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setWorkflowExecution(execution)
                .setWorkflowTaskFinishEventId(FIRST_TASK_COMPLETED)
                .setRequestId(UUID.randomUUID().toString())
                .setReason("a test")
                .build())
        .getRunId();
  }

  private ExportThenShareWorkflow started() {
    ExportThenShareWorkflow workflow =
        WorkflowClient.newInstance(service)
            .newWorkflowStub(
                ExportThenShareWorkflow.class,
                WorkflowOptions.newBuilder().setTaskQueue(run).setWorkflowId(run).build());
    var unused =
        WorkflowClient.start(
            workflow::run,
            "export-" + run,
            "share-" + run,
            new ExportRequest("annual-report", "pdf"),
            new ShareRequest("auditors"));
    return workflow;
  }

  private FencedWorker worker() {
    return FencedWorker.start(service, ledger.pool(4), run, this::register);
  }

  private void register(Worker worker) {
    HttpClient http = HttpClient.newHttpClient();
    worker.registerWorkflowImplementationTypes(ExportThenShareWorkflowImpl.class);
    worker.registerActivitiesImplementations(
        new HttpExportActivities(http, exporter.uri()),
        new HttpShareActivities(http, publisher.uri()));
  }
}
