package dev.holdfast.samples.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A reset is ordered again, because its answer was lost: two runs of one workflow overlap. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class RealServerTwiceResetTest {
  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;
  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch upstreamIsUp = new CountDownLatch(1);
  private final CountDownLatch inTheEffect = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  RealServerTwiceResetTest(RealServer temporal) {
    this.service = FencedWorker.connect(temporal.target());
    this.client = WorkflowClient.newInstance(service);
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    service.shutdownNow();
    ledger.close();
  }

  /** The activity. */
  @ActivityInterface
  public interface Orders {
    @Fenced(upstream = UpstreamContract.OPAQUE, inFlight = "PT1M")
    String order(@OperationKey String key);
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Ordering {
    @WorkflowMethod
    String run(String key);
  }

  /** Orders once. */
  public static final class OrderingImpl implements Ordering {
    @Override
    public String run(String key) {
      return Workflow.newActivityStub(
              Orders.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build())
          .order(key);
    }
  }

  private final class OrdersImpl implements Orders {
    @Override
    public String order(String key) {
      if (upstreamIsUp.getCount() > 0) {
        throw new NotDispatchedException("the upstream is down");
      }
      return FencedEffect.current()
          .dispatch(
              upstreamKey -> received(key),
              Evidence.of(answer -> 200, answer -> answer.getBytes(StandardCharsets.UTF_8)));
    }

    private String received(String key) {
      String answer = "ordered " + key + " by request " + requests.incrementAndGet();
      inTheEffect.countDown();
      try {
        assertThat(goOn.await(60, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return answer;
    }
  }

  private void register(Worker worker) {
    worker.registerWorkflowImplementationTypes(OrderingImpl.class);
    worker.registerActivitiesImplementations(new OrdersImpl());
  }

  /** To the end of its first task, before anything was scheduled; each time another request. */
  private String reset() {
    long firstTask =
        client.fetchHistory(run).getEvents().stream()
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

  /** Whether a worker has the activity of this run in its hands, or had it. */
  private boolean isTried(String runId) {
    return service
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setExecution(
                    WorkflowExecution.newBuilder().setWorkflowId(run).setRunId(runId).build())
                .build())
        .getPendingActivitiesList()
        .stream()
        .anyMatch(
            activity ->
                activity.getAttempt() > 1
                    || activity.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_STARTED);
  }

  // case E9
  @Test
  void two_runs_that_overlap_are_one_effect_and_the_one_that_is_left_gets_its_result()
      throws Exception {
    try (FencedWorker worker = FencedWorker.start(service, ledger.pool(4), run, this::register)) {
      Ordering workflow =
          client.newWorkflowStub(
              Ordering.class,
              WorkflowOptions.newBuilder().setTaskQueue(run).setWorkflowId(run).build());
      String original = WorkflowClient.start(workflow::run, run).getRunId();
      await().atMost(Duration.ofSeconds(30)).until(() -> isTried(original));

      String first = reset();
      upstreamIsUp.countDown();
      assertThat(inTheEffect.await(30, SECONDS)).isTrue();
      String second = reset();
      await().atMost(Duration.ofSeconds(30)).until(() -> isTried(second));
      goOn.countDown();

      assertThat(second).isNotEqualTo(first);
      assertThat(client.newUntypedWorkflowStub(run).getResult(45, SECONDS, String.class))
          .isEqualTo("ordered " + run + " by request 1");
    }
    assertThat(requests).hasValue(1);
  }
}
