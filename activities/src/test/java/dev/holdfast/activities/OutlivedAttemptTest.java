package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An activity that goes on after its start-to-close time-out, beside the attempt after it. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutlivedAttemptTest {
  /** The page's. */
  private static final Duration START_TO_CLOSE = Duration.ofSeconds(2);

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch firstIsOver = new CountDownLatch(1);

  OutlivedAttemptTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    firstIsOver.countDown();
    bed.close();
  }

  private CompletableFuture<String> call(String key) {
    return WorkflowClient.execute(
        bed.workflow(key, CallWorkflow.class)::call,
        Call.once(key, "x").startToClose(START_TO_CLOSE).attempts(20));
  }

  /** Whether an attempt after the first one is in a worker's hands. */
  private boolean isTriedAgain(String workflowId) {
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
        .anyMatch(
            activity ->
                activity.getAttempt() > 1
                    && activity.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_STARTED);
  }

  // case D9
  @Test
  void under_a_live_lease_it_commits_and_the_attempt_after_it_gets_its_result() throws Exception {
    bed.start(
        Holdfast.newBuilder(ledger.dataSource())
            .setLease(Duration.ofSeconds(10))
            .setWaitInPlace(START_TO_CLOSE)
            .build(),
        EffectActivities.of(
            request -> {
              runs.incrementAndGet();
              String answer = upstream.dispatch("x");
              assertThat(goOn.await(60, SECONDS)).isTrue();
              return answer;
            }));
    CompletableFuture<String> call = call("alive");

    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> isTriedAgain("alive"));
    goOn.countDown();

    assertThat(call.get(60, SECONDS)).isEqualTo("did x");
    assertThat(runs).as("it alone ran").hasValue(1);
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("alive")).isEqualTo("completed, 0 open");
    assertThat(rows.observations("alive")).isEmpty();
  }

  // case D9
  @Test
  void behind_a_newer_token_its_success_is_kept_for_the_attempt_that_holds_it() throws Exception {
    CountDownLatch secondHolds = new CountDownLatch(1);
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch("x");
              if (runs.incrementAndGet() == 1) {
                assertThat(secondHolds.await(60, SECONDS)).isTrue();
              } else {
                secondHolds.countDown();
                assertThat(firstIsOver.await(60, SECONDS)).isTrue();
              }
              return answer;
            }));
    CompletableFuture<String> call = call("preempted");

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> rows.observations("preempted").contains("succeeded pending"));
    firstIsOver.countDown();

    assertThat(call.get(60, SECONDS)).isEqualTo("did x");
    assertThat(upstream.effects()).as("under the same key").isEqualTo(1);
    assertThat(rows.state("preempted")).isEqualTo("completed, 0 open");
    assertThat(rows.receipts()).isGreaterThanOrEqualTo(1);
  }
}
