package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.OPAQUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.internal.DurableWait;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From an unclear answer over a person's word to the workflow that goes on. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParkedWorkflowTest {
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final EmbeddedLedger ledger;
  private final OperatorActs acts;

  ParkedWorkflowTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.acts = JooqLedger.open(ledger.dataSource(), LedgerOptions.standard()).acts();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** The activity. */
  @ActivityInterface
  public interface Notices {
    @Fenced(upstream = OPAQUE, inFlight = "PT1S")
    String post(@OperationKey String key);
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Posting {
    @WorkflowMethod
    String run(String key);
  }

  /** Tries often enough to find the operation parked. */
  public static final class PostingImpl implements Posting {
    @Override
    public String run(String key) {
      ActivityOptions options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(20))
              .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
              .build();
      return Workflow.newActivityStub(Notices.class, options).post(key);
    }
  }

  /** The first answer is lost. */
  private record Implementation(Upstream upstream) implements Notices {
    @Override
    public String post(String key) {
      String answer = upstream.dispatch(key);
      if (upstream.requests() == 1) {
        throw new IllegalStateException("the answer was lost");
      }
      return answer;
    }
  }

  private WorkerFactory start() {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker =
        factory.newWorker(
            WorkerBed.QUEUE,
            WorkerOptions.newBuilder()
                // the test server never gives up a dead worker's sticky queue
                .setStickyQueueScheduleToStartTimeout(Duration.ZERO)
                .build());
    worker.registerWorkflowImplementationTypes(PostingImpl.class);
    worker.registerActivitiesImplementations(new Implementation(upstream));
    factory.start();
    return factory;
  }

  /** Until the workflow's pause has begun. */
  private WorkflowStub waiting(String key) {
    Posting workflow = bed.workflow(key, Posting.class);
    WorkflowClient.start(workflow::run, key);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                bed.history(key).getEvents().stream()
                    .anyMatch(HistoryEvent::hasTimerStartedEventAttributes));
    return WorkflowStub.fromTyped(workflow);
  }

  /** What the operators' tool does: decides, and tells those whose attempts the ledger knows. */
  private void resolve(String key, Decision decision) {
    AwaitingOperation parked =
        acts.list(AwaitingQuery.all().waitingFor(Set.of(AwaitingOperation.Cause.PARKED))).stream()
            .filter(awaiting -> awaiting.operation().key().equals(key))
            .findFirst()
            .orElseThrow();
    ActOutcome outcome =
        acts.resolve(
            new ActTerms(
                parked.scope(), parked.operation(), parked.revision(), "a test", "seen", false),
            decision);
    assertThat(outcome).isInstanceOf(ActOutcome.Done.class);
    assertThat(((ActOutcome.Done) outcome).waiting())
        .extracting(ActOutcome.Waiter::workflowId)
        .containsOnly(key);
    bed.temporal().getWorkflowClient().newUntypedWorkflowStub(key).signal(DurableWait.SIGNAL);
  }

  /** Sooner than the pause of a minute ends by itself. */
  private static String soon(WorkflowStub workflow) throws Exception {
    return workflow.getResult(40, TimeUnit.SECONDS, String.class);
  }

  private static Decision happened(String result) {
    return new Decision.Happened(
        null,
        200,
        Sha256.ofUtf8("what the person saw"),
        new StoredResult.Value(
            DefaultDataConverter.newDefaultInstance()
                .toPayload(result)
                .orElseThrow()
                .toByteArray()),
        null);
  }

  @Test
  void what_a_person_says_happened_is_what_the_workflow_goes_on_with() throws Exception {
    start();
    WorkflowStub workflow = waiting("happened");

    resolve("happened", happened("as the person saw it"));

    assertThat(soon(workflow)).isEqualTo("as the person saw it");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void what_did_not_happen_is_done_once_more() throws Exception {
    start();
    WorkflowStub workflow = waiting("absent");

    resolve("absent", new Decision.DidNotHappen(true));

    assertThat(soon(workflow)).isEqualTo("did absent");
    assertThat(upstream.requests()).isEqualTo(2);
  }

  @Test
  void what_a_person_gives_up_is_a_rejection() {
    start();
    WorkflowStub workflow = waiting("given-up");

    resolve("given-up", new Decision.Failed(new SettledFailure("not-wanted", 0), true));

    ApplicationFailure failure = Failures.of(() -> soon(workflow));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("not-wanted");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_worker_that_restarts_meanwhile_goes_on_waiting() throws Exception {
    WorkerFactory first = start();
    WorkflowStub workflow = waiting("restart");
    first.shutdownNow();
    first.awaitTermination(20, TimeUnit.SECONDS);
    start();

    resolve("restart", happened("after the restart"));

    assertThat(soon(workflow)).isEqualTo("after the restart");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
