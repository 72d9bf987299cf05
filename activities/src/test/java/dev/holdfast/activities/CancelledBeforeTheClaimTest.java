package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CancellableWorkflow;
import dev.holdfast.activities.bed.CancellableWorkflow.Terms;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A call is cancelled before any worker has it, in each of the ways that Temporal has. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CancelledBeforeTheClaimTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Map<ActivityCancellationType, CompletableFuture<String>> calls =
      new EnumMap<>(ActivityCancellationType.class);

  CancelledBeforeTheClaimTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void callAndCancel(ActivityCancellationType type) {
    String key = "queued " + type;
    calls.put(
        type,
        WorkflowClient.execute(
            bed.workflow(key, CancellableWorkflow.class)::call, Terms.of(key).cancelledBy(type)));
    await(key, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED);
    bed.temporal().getWorkflowClient().newUntypedWorkflowStub(key).signal("cancelCall");
  }

  private void await(String workflowId, EventType event) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                bed.history(workflowId).getEvents().stream()
                    .anyMatch(happened -> happened.getEventType() == event));
  }

  // case D7
  @Test
  void nothing_is_done_and_no_row_is_left() {
    bed.start(WorkerBed.plugin(ledger.dataSource()));

    for (ActivityCancellationType type : ActivityCancellationType.values()) {
      callAndCancel(type);
    }

    calls.forEach(
        (type, call) -> {
          assertThat(call).succeedsWithin(PATIENCE).isEqualTo("CanceledFailure");
          assertThat(rows.state("queued " + type)).isEqualTo("none");
        });
  }
}
