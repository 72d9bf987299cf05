package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CancellableWorkflow;
import dev.holdfast.activities.bed.CancellableWorkflow.Terms;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.WorkflowClient;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Temporal hears of an attempt while it runs, and what the attempt hears of Temporal. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeartbeatTest {
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final Map<String, CountDownLatch> goOn = new ConcurrentHashMap<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final EmbeddedLedger ledger;

  HeartbeatTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    goOn.values().forEach(CountDownLatch::countDown);
    bed.close();
  }

  private void start(EffectActivities.Effect effect) {
    bed.start(WorkerBed.plugin(ledger.dataSource()), EffectActivities.of(effect));
  }

  private CountDownLatch latch(String key) {
    return goOn.computeIfAbsent(key, any -> new CountDownLatch(1));
  }

  private CompletableFuture<String> call(String key, int heartbeatMillis) {
    return WorkflowClient.execute(
        bed.workflow(key, CancellableWorkflow.class)::call,
        Terms.of(key).heartbeatWithin(heartbeatMillis));
  }

  /** The activity as the server sees it, while it is under way. */
  private Optional<PendingActivityInfo> pending(String workflowId) {
    return bed
        .temporal()
        .getWorkflowServiceStubs()
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                .build())
        .getPendingActivitiesList()
        .stream()
        .findFirst();
  }

  private int attempt(String workflowId) {
    return pending(workflowId).map(PendingActivityInfo::getAttempt).orElse(0);
  }

  private String details(String workflowId) {
    return pending(workflowId)
        .map(activity -> Optional.of(activity.getHeartbeatDetails()))
        .map(
            all ->
                DefaultDataConverter.STANDARD_INSTANCE.fromPayloads(
                    0, all, String.class, String.class))
        .orElse("none");
  }

  private static ActivityExecutionContext context() {
    return Activity.getExecutionContext();
  }

  @Test
  void a_silent_effect_is_spoken_for_and_one_that_spoke_and_hangs_is_timed_out() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    start(
        request -> {
          String answer = upstream.dispatch(String.valueOf(request));
          if ("hung".equals(request)) {
            context().heartbeat("cursor-1");
          }
          both.countDown();
          assertThat(latch(String.valueOf(request)).await(60, SECONDS)).isTrue();
          return answer;
        });
    CompletableFuture<String> silent = call("silent", 2_000);
    CompletableFuture<String> hung = call("hung", 2_500);
    assertThat(both.await(30, SECONDS)).isTrue();

    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> attempt("hung") > 1);

    assertThat(attempt("silent")).isOne();
    assertThat(details("hung")).as("of the next attempt, which waits").isEqualTo("cursor-1");
    latch("silent").countDown();
    latch("hung").countDown();
    assertThat(silent.get(60, SECONDS)).isEqualTo("did silent");
    assertThat(hung.get(60, SECONDS)).isEqualTo("did hung");
    assertThat(upstream.requests()).isEqualTo(2);
  }

  @Test
  void the_last_details_of_the_activity_outlast_an_attempt_that_is_spoken_for() throws Exception {
    start(
        request -> {
          int attempt = context().getInfo().getAttempt();
          seen.add(attempt + " " + context().getHeartbeatDetails(String.class).orElse("none"));
          if (attempt == 1) {
            context().heartbeat("cursor-41");
            context().heartbeat("cursor-42");
          }
          if (attempt == 2) {
            assertThat(latch("kept").await(60, SECONDS)).isTrue();
          }
          if (attempt < 3) {
            throw new IllegalStateException("before anything was sent");
          }
          return upstream.dispatch("x");
        });
    CompletableFuture<String> kept = call("kept", 1_000);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() == 2);
    long begun = beaten("kept");

    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> beaten("kept") > begun);
    latch("kept").countDown();

    assertThat(kept.get(60, SECONDS)).isEqualTo("did x");
    assertThat(seen).containsExactly("1 none", "2 cursor-42", "3 cursor-42");
  }

  /** When the server last heard of it, in nanoseconds. */
  private long beaten(String workflowId) {
    return pending(workflowId)
        .map(PendingActivityInfo::getLastHeartbeatTime)
        .map(time -> SECONDS.toNanos(time.getSeconds()) + time.getNanos())
        .orElse(0L);
  }

  @Test
  void a_cancellation_is_told_to_code_that_heartbeats_and_to_code_that_does_not() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    start(
        request -> {
          both.countDown();
          if ("told".equals(request)) {
            Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(30))
                .until(HeartbeatTest::throwsWhenCancelled);
          } else {
            Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(30))
                .until(HeartbeatTest::tokenIsCancelled);
          }
          seen.add("heard " + request);
          throw new ActivityCanceledException(context().getInfo());
        });
    CompletableFuture<String> told = call("told", 1_000);
    CompletableFuture<String> untold = call("untold", 1_000);
    assertThat(both.await(30, SECONDS)).isTrue();

    for (String workflow : List.of("told", "untold")) {
      bed.temporal().getWorkflowClient().newUntypedWorkflowStub(workflow).signal("cancelCall");
    }

    assertThat(told.get(60, SECONDS)).isEqualTo("CanceledFailure");
    assertThat(untold.get(60, SECONDS)).isEqualTo("CanceledFailure");
    assertThat(upstream.requests()).isZero();
    for (String key : List.of("told", "untold")) {
      // the workflow does not wait for it
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> rows.state(key).equals("unknown, 0 open"));
    }
    assertThat(seen).containsExactlyInAnyOrder("heard told", "heard untold");
  }

  private static boolean throwsWhenCancelled() {
    try {
      context().heartbeat("still here");
      return false;
    } catch (ActivityCanceledException told) {
      return true;
    }
  }

  /** By reflection: its type differs between the oldest and the newest SDK. */
  private static boolean tokenIsCancelled() throws ReflectiveOperationException {
    Object token =
        ActivityExecutionContext.class.getMethod("getCancellationToken").invoke(context());
    Class<?> type =
        ActivityExecutionContext.class.getMethod("getCancellationToken").getReturnType();
    return (boolean) type.getMethod("isCancellationRequested").invoke(token);
  }
}
