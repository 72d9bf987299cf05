package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.OPAQUE;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.RivalHolder;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.FencedActivities;
import dev.holdfast.workflows.internal.DurableWait;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The workflow side looks after an operation to which no attempt comes any more. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LookedAfterTest {
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final EmbeddedLedger ledger;
  private final LedgerClock clock;
  private final OperationRows rows;
  private final OperatorActs acts;

  LookedAfterTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.clock = LedgerClock.of(ledger);
    this.rows = new OperationRows(ledger);
    this.acts = JooqLedger.open(ledger.dataSource(), LedgerOptions.standard()).acts();
  }

  @AfterEach
  void close() {
    goOn.countDown();
    bed.close();
    clock.close();
  }

  /** The activity. */
  @ActivityInterface
  public interface Notices {
    @Fenced(upstream = OPAQUE, inFlight = "PT1S", operation = "Effect")
    String post(@OperationKey String key);
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Posting {
    @WorkflowMethod
    String run(String key);
  }

  /** Tries once, as one does where nothing may be sent twice. */
  public static final class PostingImpl implements Posting {
    @Override
    public String run(String key) {
      ActivityOptions options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(2))
              .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
              .build();
      return Workflow.newActivityStub(Notices.class, options).post(key);
    }
  }

  private record Implementation(EffectActivities.Effect effect) implements Notices {
    @Override
    public String post(String key) {
      try {
        return String.valueOf(effect.run(key));
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void startPosting(EffectActivities.Effect effect) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(PostingImpl.class);
    worker.registerActivitiesImplementations(new Implementation(effect));
    factory.start();
  }

  private WorkflowStub posting(String key) {
    Posting workflow = bed.workflow(key, Posting.class);
    var unused = WorkflowClient.start(workflow::run, key);
    return WorkflowStub.fromTyped(workflow);
  }

  private AwaitingOperation parked(String key) {
    AwaitingQuery query = AwaitingQuery.all().waitingFor(Set.of(AwaitingOperation.Cause.PARKED));
    return await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () ->
                acts.list(query).stream()
                    .filter(awaiting -> awaiting.operation().key().equals(key))
                    .toList(),
            Predicate.not(List::isEmpty))
        .getFirst();
  }

  private void awaitTimer(String workflowId) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                bed.history(workflowId).getEvents().stream()
                    .anyMatch(HistoryEvent::hasTimerStartedEventAttributes));
  }

  private void lookAgain(String workflowId) {
    bed.temporal()
        .getWorkflowClient()
        .newUntypedWorkflowStub(workflowId)
        .signal(DurableWait.SIGNAL);
  }

  /** Sooner than the pause of a minute ends by itself. */
  private static String soon(WorkflowStub workflow) throws Exception {
    return workflow.getResult(40, SECONDS, String.class);
  }

  private void decideAndGoOn(String key, WorkflowStub workflow) throws Exception {
    AwaitingOperation parked = parked(key);
    assertThat(parked.parkedReason()).isEqualTo("open_attempt");
    ActOutcome outcome =
        acts.resolve(
            new ActTerms(
                parked.scope(), parked.operation(), parked.revision(), "a test", "seen", false),
            new Decision.Happened(
                null,
                200,
                Sha256.ofUtf8("what the person saw"),
                new StoredResult.Value(RivalHolder.encoded("as the person saw it")),
                null));
    assertThat(outcome).isInstanceOf(ActOutcome.Done.class);
    lookAgain(key);

    assertThat(soon(workflow)).isEqualTo("as the person saw it");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_holder_that_falls_silent_in_its_only_attempt_leaves_the_operation_to_a_person()
      throws Exception {
    startPosting(
        key -> {
          String answer = upstream.dispatch(String.valueOf(key));
          assertThat(goOn.await(60, SECONDS)).isTrue();
          return answer;
        });

    WorkflowStub workflow = posting("silent");

    decideAndGoOn("silent", workflow);
  }

  @Test
  void an_unclear_answer_to_the_only_attempt_leaves_the_operation_to_a_person() throws Exception {
    startPosting(
        key -> {
          var unused = upstream.dispatch(String.valueOf(key));
          throw new IllegalStateException("the answer was lost");
        });

    WorkflowStub workflow = posting("unclear");

    decideAndGoOn("unclear", workflow);
  }

  @Test
  void what_a_dead_rival_witnessed_is_what_the_workflow_goes_on_with() throws Exception {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        EffectActivities.of(
            request -> {
              var unused = upstream.dispatch("x");
              begun.countDown();
              assertThat(goOn.await(60, SECONDS)).isTrue();
              throw new IllegalStateException("the answer was lost");
            }));
    CompletableFuture<String> call =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("rival", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();
    clock.shift(Duration.ofMinutes(5));
    RivalHolder rival = RivalHolder.dispatched(ledger, "rival", new OpenAttemptRule.RolledBack());
    clock.shift(Duration.ofMinutes(10));
    assertThat(rival.settle("by the rival")).isInstanceOf(SettleOutcome.LeaseExpired.class);
    goOn.countDown();

    assertThat(call.get(60, SECONDS)).isEqualTo("by the rival");
    assertThat(rows.state("rival")).startsWith("completed");
  }

  @Test
  void what_is_witnessed_while_a_person_is_awaited_is_picked_up_without_another_attempt()
      throws Exception {
    startPosting(
        key -> {
          throw new IllegalStateException("before anything was sent");
        });
    assertThat(Failures.of(() -> soon(posting("given back")))).isNotNull();
    RivalHolder rival =
        RivalHolder.dispatched(ledger, "given back", new OpenAttemptRule.ParkWhileOpen());
    clock.shift(Duration.ofMinutes(5));
    Posting second = bed.workflow("second", Posting.class);
    var unused = WorkflowClient.start(second::run, "given back");
    awaitTimer("second");
    assertThat(parked("given back").openAttempts()).isEqualTo(1);
    assertThat(rival.settle("late")).isInstanceOf(SettleOutcome.LeaseExpired.class);

    lookAgain("second");

    assertThat(soon(WorkflowStub.fromTyped(second))).isEqualTo("late");
    assertThat(rows.parked("given back")).isNull();
    assertThat(bed.history("second").getEvents())
        .filteredOn(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .hasSize(1);
  }

  /** Tells whose effect it got. */
  @WorkflowInterface
  public interface Telling {
    @WorkflowMethod
    String run(String key);
  }

  /** Tries once. */
  public static final class TellingImpl implements Telling {
    @Override
    public String run(String key) {
      ActivityOptions options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(30))
              .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
              .build();
      var told =
          FencedActivities.call(
              Workflow.newActivityStub(EffectActivities.class, options)::effect, key, "x");
      return told.value() + (told.replayed() ? ", replayed" : ", its own");
    }
  }

  /** The holder's lease is over, and a rival has claimed, when its answer comes. */
  private WorkflowStub preempted(String key) throws Exception {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(TellingImpl.class);
    worker.registerActivitiesImplementations(
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch("x");
              begun.countDown();
              assertThat(goOn.await(60, SECONDS)).isTrue();
              return answer;
            }));
    factory.start();
    Telling workflow = bed.workflow(key, Telling.class);
    var unused = WorkflowClient.start(workflow::run, key);
    assertThat(begun.await(30, SECONDS)).isTrue();
    clock.shift(Duration.ofMinutes(5));
    return WorkflowStub.fromTyped(workflow);
  }

  @Test
  void a_success_of_its_own_that_the_look_picks_up_is_no_replay() throws Exception {
    WorkflowStub workflow = preempted("looked for");
    RivalHolder.dispatched(ledger, "looked for", new OpenAttemptRule.RolledBack());
    // so that the rival's lease lives until the workflow has looked
    clock.stop();
    goOn.countDown();
    awaitTimer("looked for");
    clock.shift(Duration.ofMinutes(10));

    assertThat(soon(workflow)).isEqualTo("did x, its own");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_success_of_its_own_that_its_next_claim_picks_up_is_no_replay() throws Exception {
    WorkflowStub workflow = preempted("claimed again");
    RivalHolder.dispatched(ledger, "claimed again", new OpenAttemptRule.RolledBack());
    clock.shift(Duration.ofMinutes(10));
    goOn.countDown();

    assertThat(soon(workflow)).isEqualTo("did x, its own");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
