package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OrderVersions;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests whose type changes while their operation is under way. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestVersionsTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  RequestVersionsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void startActivity(String queue, Object activity) {
    factory(queue, activity).start();
  }

  private WorkerFactory factory(String queue, Object activity) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    factory.newWorker(queue).registerActivitiesImplementations(activity);
    return factory;
  }

  private void startWorkflow(String queue, Class<?> workflow) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker = factory.newWorker(queue);
    worker.registerWorkflowImplementationTypes(workflow);
    factory.start();
  }

  private <T> T workflow(String queue, Class<T> type) {
    return bed.temporal()
        .getWorkflowClient()
        .newWorkflowStub(
            type,
            WorkflowOptions.newBuilder()
                .setTaskQueue(queue)
                .setWorkflowId(UUID.randomUUID().toString())
                .setWorkflowRunTimeout(Duration.ofSeconds(60))
                .build());
  }

  @Test
  void a_field_that_is_added_between_two_attempts_does_not_change_the_fingerprint()
      throws Exception {
    CountDownLatch firstAttempt = new CountDownLatch(1);
    startWorkflow("orders", OrderVersions.Impl.class);
    startActivity(
        "orders",
        new OrderVersions.FirstImpl(
            () -> {
              var unused = upstream.dispatch("it");
              firstAttempt.countDown();
              throw new IllegalStateException("the answer was lost");
            }));
    CompletableFuture<String> order =
        WorkflowClient.execute(workflow("orders", OrderVersions.class)::order, "grown");
    assertThat(firstAttempt.await(30, SECONDS)).isTrue();
    List<String> reserved = fingerprints("Order:grown");

    // the first version's worker stays, and fails for ever: a later attempt comes to this one
    startActivity("orders", new OrderVersions.WithCopiesImpl(() -> upstream.dispatch("it")));

    assertThat(order.get(60, SECONDS)).isEqualTo("did it");
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(fingerprints("Order:grown")).isEqualTo(reserved).hasSize(1);
  }

  private List<String> fingerprints(String operation) {
    return ledger
        .sql()
        .fetch("select fingerprint_sha256::text from operation where operation_id = ?", operation)
        .map(row -> row.get(0, String.class));
  }

  /** As a workflow in another language does: no method, no header, a request without the field. */
  @WorkflowInterface
  public interface Foreign {
    @WorkflowMethod
    String orderFrom(String queue, String key);
  }

  /** The workflow. */
  public static final class ForeignImpl implements Foreign {
    @Override
    public String orderFrom(String queue, String key) {
      return Workflow.newUntypedActivityStub(
              ActivityOptions.newBuilder()
                  .setTaskQueue(queue)
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(2).build())
                  .build())
          .execute("Order", String.class, key, Map.of("text", "a"));
    }
  }

  @Test
  void without_the_header_the_worker_s_own_class_decides_and_nothing_runs_twice() {
    startWorkflow("foreign", ForeignImpl.class);
    startActivity("v1", new OrderVersions.FirstImpl(() -> upstream.dispatch("it")));
    startActivity("note", new OrderVersions.WithNoteImpl(() -> upstream.dispatch("it")));
    startActivity("copies", new OrderVersions.WithCopiesImpl(() -> upstream.dispatch("it")));
    assertThat(workflow("foreign", Foreign.class).orderFrom("v1", "foreign")).isEqualTo("did it");

    assertThat(workflow("foreign", Foreign.class).orderFrom("note", "foreign"))
        .as("a field that is absent")
        .isEqualTo("did it");
    ApplicationFailure refusal =
        Failures.of(() -> workflow("foreign", Foreign.class).orderFrom("copies", "foreign"));

    assertThat(refusal.getType())
        .as("a field that is never absent")
        .isEqualTo(HoldfastFailures.FINGERPRINT_MISMATCH);
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
