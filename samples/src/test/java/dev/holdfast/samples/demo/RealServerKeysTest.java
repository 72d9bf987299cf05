package dev.holdfast.samples.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What each key scope means where resets, schedules and new runs are the real ones. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RealServerKeysTest {
  private final String queue = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;
  private final Upstreams upstream = new Upstreams();
  private final FencedWorker worker;

  RealServerKeysTest(RealServer temporal) {
    service = FencedWorker.connect(temporal.target());
    client = WorkflowClient.newInstance(service);
    worker = FencedWorker.start(service, ledger.pool(8), queue, this::register);
  }

  private void register(Worker registered) {
    registered.registerWorkflowImplementationTypes(KeyedImpl.class);
    registered.registerActivitiesImplementations(new ScopedImpl(upstream));
  }

  @AfterEach
  void stop() {
    worker.close();
    service.shutdownNow();
    ledger.close();
  }

  /** One effect for each scope, each under the same key. */
  @ActivityInterface
  public interface Scoped {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H")
    void inBusiness(@OperationKey String key);

    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT1H",
        keyScope = KeyScope.WORKFLOW)
    void inWorkflow(@OperationKey String key);

    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H", keyScope = KeyScope.CHAIN)
    void inChain(@OperationKey String key);

    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H", keyScope = KeyScope.RUN)
    void inRun(@OperationKey String key);
  }

  /** Sends each request to the upstream. */
  private record ScopedImpl(Upstreams upstream) implements Scoped {
    @Override
    public void inBusiness(String key) {
      upstream.send(KeyScope.BUSINESS, key);
    }

    @Override
    public void inWorkflow(String key) {
      upstream.send(KeyScope.WORKFLOW, key);
    }

    @Override
    public void inChain(String key) {
      upstream.send(KeyScope.CHAIN, key);
    }

    @Override
    public void inRun(String key) {
      upstream.send(KeyScope.RUN, key);
    }
  }

  /** One upstream for each scope, which counts what came, and the keys that it came under. */
  private static final class Upstreams {
    private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();

    void send(KeyScope scope, String key) {
      String name = scope + " " + key;
      Integer unused =
          FencedEffect.current()
              .dispatch(
                  upstreamKey -> {
                    keys.computeIfAbsent(name, any -> ConcurrentHashMap.newKeySet())
                        .add(upstreamKey.value());
                    return requests
                        .computeIfAbsent(name, any -> new AtomicInteger())
                        .incrementAndGet();
                  },
                  Evidence.of(any -> 200, n -> ("n" + n).getBytes(StandardCharsets.UTF_8)));
    }

    /** How many requests came. */
    Map<KeyScope, Integer> requests(String key) {
      Map<KeyScope, Integer> counts = new EnumMap<>(KeyScope.class);
      for (KeyScope scope : KeyScope.values()) {
        String name = scope + " " + key;
        int came = requests.getOrDefault(name, new AtomicInteger()).get();
        counts.put(scope, came);
      }
      return counts;
    }

    /** Under how many keys they came. */
    int keys(KeyScope scope, String key) {
      return keys.getOrDefault(scope + " " + key, Set.of()).size();
    }
  }

  /** Calls all four, and then continues as new as often as it is told to. */
  @WorkflowInterface
  public interface Keyed {
    @WorkflowMethod
    String run(String key, int more);
  }

  /** The workflow. */
  public static final class KeyedImpl implements Keyed {
    @Override
    public String run(String key, int more) {
      Scoped scoped =
          Workflow.newActivityStub(
              Scoped.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(30)).build());
      scoped.inBusiness(key);
      scoped.inWorkflow(key);
      scoped.inChain(key);
      scoped.inRun(key);
      if (more > 0) {
        Workflow.continueAsNew(key, more - 1);
      }
      return "done";
    }
  }

  private WorkflowStub started(String id, String key, int more) {
    Keyed workflow =
        client.newWorkflowStub(
            Keyed.class,
            WorkflowOptions.newBuilder().setTaskQueue(queue).setWorkflowId(id).build());
    var unused = WorkflowClient.start(workflow::run, key, more);
    return WorkflowStub.fromTyped(workflow);
  }

  private static Map<KeyScope, Integer> counts(int business, int workflow, int chain, int run) {
    return Map.of(
        KeyScope.BUSINESS, business,
        KeyScope.WORKFLOW, workflow,
        KeyScope.CHAIN, chain,
        KeyScope.RUN, run);
  }

  @Test
  void a_reset_names_the_same_operations_and_a_continued_run_another_one_of_its_own()
      throws Exception {
    WorkflowStub reset = started(queue + "-reset", "reset", 0);
    WorkflowStub continued = started(queue + "-continued", "continued", 1);
    reset.getResult(60, SECONDS, String.class);
    continued.getResult(60, SECONDS, String.class);

    String again = reset(queue + "-reset");
    client.newUntypedWorkflowStub(queue + "-reset").getResult(60, SECONDS, String.class);

    assertThat(again).isNotEqualTo(Objects.requireNonNull(reset.getExecution()).getRunId());
    assertThat(upstream.requests("reset")).isEqualTo(counts(1, 1, 1, 1));
    assertThat(upstream.requests("continued")).isEqualTo(counts(1, 1, 1, 2));
  }

  @Test
  void a_schedules_actions_are_workflows_of_their_own() {
    ScheduleClient schedules = ScheduleClient.newInstance(service);
    ScheduleHandle schedule =
        schedules.createSchedule(
            queue,
            Schedule.newBuilder()
                .setAction(
                    ScheduleActionStartWorkflow.newBuilder()
                        .setWorkflowType(Keyed.class)
                        .setOptions(
                            WorkflowOptions.newBuilder()
                                .setTaskQueue(queue)
                                .setWorkflowId(queue + "-scheduled")
                                .build())
                        .setArguments("scheduled", 0)
                        .build())
                .setSpec(ScheduleSpec.newBuilder().build())
                .build(),
            ScheduleOptions.newBuilder().build());
    try {
      schedule.trigger(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL);
      awaitRuns(1);
      // the name of an action ends with its second
      Instant second = Instant.now().plusSeconds(1);
      await().until(() -> Instant.now().isAfter(second));
      schedule.trigger(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL);
      awaitRuns(2);
    } finally {
      schedule.delete();
    }

    assertThat(upstream.requests("scheduled")).isEqualTo(counts(1, 2, 2, 2));
    assertThat(upstream.keys(KeyScope.RUN, "scheduled")).isEqualTo(2);
  }

  private void awaitRuns(int runs) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> upstream.requests("scheduled").getOrDefault(KeyScope.RUN, 0) == runs);
  }

  /** To the end of its first task, before anything was scheduled. */
  private String reset(String workflowId) {
    long firstTask =
        client.fetchHistory(workflowId).getEvents().stream()
            .filter(HistoryEvent::hasWorkflowTaskCompletedEventAttributes)
            .findFirst()
            .orElseThrow()
            .getEventId();
    return service
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                .setWorkflowTaskFinishEventId(firstTask)
                .setRequestId(UUID.randomUUID().toString())
                .setReason("a test")
                .build())
        .getRunId();
  }
}
