package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.HoldfastCli;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.samples.notice.HttpNoticeActivities;
import dev.holdfast.samples.notice.NoticeWorkflow;
import dev.holdfast.samples.notice.NoticeWorkflowImpl;
import dev.holdfast.samples.upstream.Behaviour;
import dev.holdfast.samples.upstream.SharePublisher;
import dev.holdfast.samples.upstream.Upstream;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The wait for a person where signals, resets and the timers of a wait are the real ones. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class RealServerWaitTest {
  private static final String AS_SEEN = "https://share.example/seen-by-a-person";

  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final String temporal;
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;
  private Upstream publisher;

  RealServerWaitTest(RealServer temporal) {
    this.temporal = temporal.target();
    this.service = FencedWorker.connect(this.temporal);
    this.client = WorkflowClient.newInstance(service);
  }

  @BeforeEach
  void start_the_upstream() throws Exception {
    publisher = SharePublisher.start(0);
    publisher.behave(new Behaviour.LoseAnswer());
  }

  @AfterEach
  void stop() {
    publisher.close();
    service.shutdownNow();
    ledger.close();
  }

  private FencedWorker worker() {
    return FencedWorker.start(service, ledger.pool(4), run, this::register);
  }

  private void register(Worker worker) {
    worker.registerWorkflowImplementationTypes(NoticeWorkflowImpl.class);
    worker.registerActivitiesImplementations(
        new HttpNoticeActivities(HttpClient.newHttpClient(), publisher.uri()));
  }

  private WorkflowStub started() {
    NoticeWorkflow workflow =
        client.newWorkflowStub(
            NoticeWorkflow.class,
            WorkflowOptions.newBuilder().setTaskQueue(run).setWorkflowId(run).build());
    var unused = WorkflowClient.start(workflow::run, run, "everybody");
    return WorkflowStub.fromTyped(workflow);
  }

  private List<HistoryEvent> events() {
    return client.fetchHistory(run).getEvents();
  }

  /** Whether the current run has begun its pause; it looks up without one while a lease lives. */
  private boolean waits() {
    return events().stream()
        .filter(HistoryEvent::hasTimerStartedEventAttributes)
        .map(event -> event.getTimerStartedEventAttributes().getStartToFireTimeout().getSeconds())
        .anyMatch(seconds -> seconds >= 60);
  }

  private void awaitTheWait() {
    await().atMost(Duration.ofSeconds(60)).until(this::waits);
  }

  private void resolve() {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    int code =
        HoldfastCli.run(
            out,
            out,
            "resolve",
            "--jdbc-url=" + ledger.jdbcUrl(),
            "--temporal=" + temporal,
            "--scope=default",
            "--actor=a test",
            "--reason=the publisher shows it",
            "--happened",
            "--result=\"" + AS_SEEN + '"',
            "Post:" + run);
    assertThat(code).as("%s", printed).isZero();
  }

  /** Sooner than the pause of a minute ends by itself. */
  private String soon() throws Exception {
    return client.newUntypedWorkflowStub(run).getResult(45, TimeUnit.SECONDS, String.class);
  }

  private void assertWokenAndPostedOnce() {
    assertThat(events()).anyMatch(HistoryEvent::hasWorkflowExecutionSignaledEventAttributes);
    assertThat(publisher.requests()).isEqualTo(1);
    assertThat(publisher.effects()).hasSize(1);
  }

  @Test
  void who_waits_is_woken_by_the_operators_tool() throws Exception {
    try (FencedWorker worker = worker()) {
      started();
      awaitTheWait();

      resolve();

      assertThat(soon()).isEqualTo(AS_SEEN);
    }
    assertWokenAndPostedOnce();
  }

  @Test
  void a_worker_that_restarts_meanwhile_goes_on_waiting() throws Exception {
    try (FencedWorker first = worker()) {
      started();
      awaitTheWait();
      first.stopNow();
    }
    try (FencedWorker second = worker()) {
      resolve();

      assertThat(soon()).isEqualTo(AS_SEEN);
    }
    assertWokenAndPostedOnce();
  }

  @Test
  void a_reset_workflow_waits_again_and_posts_nothing_again() throws Exception {
    try (FencedWorker worker = worker()) {
      WorkflowStub workflow = started();
      awaitTheWait();
      String before = Objects.requireNonNull(workflow.getExecution()).getRunId();

      String again = reset();
      awaitTheWait();
      resolve();

      assertThat(again).isNotEqualTo(before);
      assertThat(soon()).isEqualTo(AS_SEEN);
    }
    assertWokenAndPostedOnce();
  }

  /** To the end of its first task, before anything was scheduled. */
  private String reset() {
    long firstTask =
        events().stream()
            .filter(HistoryEvent::hasWorkflowTaskCompletedEventAttributes)
            .findFirst()
            .orElseThrow()
            .getEventId();
    return service
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(run))
                .setWorkflowTaskFinishEventId(firstTask)
                .setRequestId(UUID.randomUUID().toString())
                .setReason("a test")
                .build())
        .getRunId();
  }
}
