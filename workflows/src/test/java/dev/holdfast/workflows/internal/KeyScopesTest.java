package dev.holdfast.workflows.internal;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Across which events the same key names the same operation, for each scope: the page's table. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyScopesTest {
  private static final String QUEUE = "keys";

  private static final EnumSet<KeyScope> ALL = EnumSet.allOf(KeyScope.class);
  private static final EnumSet<KeyScope> ALL_BUT_RUN =
      EnumSet.complementOf(EnumSet.of(KeyScope.RUN));

  /** One activity for each scope, each called with the same key. */
  @ActivityInterface
  public interface Scoped {
    /** By the key alone. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void business(@OperationKey String key);

    /** By workflow id and key. */
    @Fenced(upstream = UpstreamContract.OPAQUE, keyScope = KeyScope.WORKFLOW)
    void workflow(@OperationKey String key);

    /** By chain and key. */
    @Fenced(upstream = UpstreamContract.OPAQUE, keyScope = KeyScope.CHAIN)
    void chain(@OperationKey String key);

    /** By run and key. */
    @Fenced(upstream = UpstreamContract.OPAQUE, keyScope = KeyScope.RUN)
    void run(@OperationKey String key);
  }

  /** Fails in its first attempt where the key says so. */
  public static final class ScopedImpl implements Scoped {
    @Override
    public void business(String key) {
      failFirst(key);
    }

    @Override
    public void workflow(String key) {
      failFirst(key);
    }

    @Override
    public void chain(String key) {
      failFirst(key);
    }

    @Override
    public void run(String key) {
      failFirst(key);
    }

    private static void failFirst(String key) {
      if (key.equals("retried") && Activity.getExecutionContext().getInfo().getAttempt() == 1) {
        throw ApplicationFailure.newFailure("once more", "No");
      }
    }
  }

  /** What else happens to a workflow that calls all four. */
  @WorkflowInterface
  public interface Calling {
    /** Calls them with this key, and then does what the event says. */
    @WorkflowMethod
    String call(String event);
  }

  /** The workflow. */
  public static final class CallingImpl implements Calling {
    @Override
    public String call(String event) {
      List<Promise<?>> calls = new ArrayList<>(called(event));
      if (event.equals("parallel")) {
        calls.addAll(called(event));
      }
      calls.forEach(Promise::get);
      boolean first = Workflow.getInfo().getContinuedExecutionRunId().isEmpty();
      switch (event) {
        case "continued" -> {
          if (first) {
            Workflow.continueAsNew(event);
          }
        }
        case "failed" -> {
          if (Workflow.getInfo().getAttempt() == 1) {
            throw ApplicationFailure.newFailure("once more", "No");
          }
        }
        case "parent" -> {
          String unused = Workflow.newChildWorkflowStub(Calling.class).call("child");
        }
        default -> {}
      }
      return "done";
    }

    private static List<Promise<Void>> called(String event) {
      ActivityOptions options =
          ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(20)).build();
      Scoped scoped = Workflow.newActivityStub(Scoped.class, options);
      String key = event.equals("retried") ? event : "key";
      return List.of(
          Async.procedure(scoped::business, key),
          Async.procedure(scoped::workflow, key),
          Async.procedure(scoped::chain, key),
          Async.procedure(scoped::run, key));
    }
  }

  private final WorkerSide side = new WorkerSide();
  private final TestWorkflowEnvironment environment =
      TestWorkflowEnvironment.newInstance(
          TestEnvironmentOptions.newBuilder()
              .setWorkerFactoryOptions(
                  WorkerFactoryOptions.newBuilder()
                      .setWorkerInterceptors(Bench.interceptor(List.of()), side)
                      .build())
              .build());

  KeyScopesTest() {
    Worker worker = environment.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(CallingImpl.class);
    worker.registerActivitiesImplementations(new ScopedImpl());
    side.sendsReference = false;
    environment.start();
  }

  @AfterEach
  void close() {
    environment.close();
  }

  private static WorkflowOptions.Builder options(String id) {
    return WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(id);
  }

  private Calling stub(WorkflowOptions.Builder options) {
    return environment.getWorkflowClient().newWorkflowStub(Calling.class, options.build());
  }

  private void call(String event) {
    assertThat(stub(options("w")).call(event)).isEqualTo("done");
  }

  /** Each scope was called this often, and named one operation in these alone. */
  private void assertSame(int calls, EnumSet<KeyScope> same) {
    Map<KeyScope, Set<String>> named = new EnumMap<>(KeyScope.class);
    for (KeyScope scope : KeyScope.values()) {
      List<String> keys =
          side.sent.stream()
              .filter(sent -> sent.activityType().equalsIgnoreCase(scope.name()))
              .map(sent -> sent.header().keySha256())
              .toList();
      assertThat(keys).as("%s", scope).hasSize(calls);
      named.put(scope, Set.copyOf(keys));
    }
    assertThat(
            named.entrySet().stream().collect(toMap(Map.Entry::getKey, e -> e.getValue().size())))
        .isEqualTo(
            Stream.of(KeyScope.values())
                .collect(toMap(scope -> scope, scope -> same.contains(scope) ? 1 : 2)));
  }

  @Test
  void an_activitys_retry_is_the_same_operation_in_every_scope() {
    call("retried");

    assertSame(2, ALL);
  }

  @Test
  void parallel_calls_of_one_run_are_the_same_operation_in_every_scope() {
    call("parallel");

    assertSame(2, ALL);
  }

  @Test
  void continue_as_new_is_another_run_alone() {
    call("continued");

    assertSame(2, ALL_BUT_RUN);
  }

  @Test
  void a_workflows_retry_is_another_run_alone() {
    RetryOptions twice = RetryOptions.newBuilder().setMaximumAttempts(2).build();

    assertThat(stub(options("w").setRetryOptions(twice)).call("failed")).isEqualTo("done");

    assertSame(2, ALL_BUT_RUN);
  }

  @Test
  void crons_next_run_is_another_run_alone() {
    Calling cron = stub(options("w").setCronSchedule("* * * * *"));
    var unused = WorkflowClient.start(cron::call, "cron");
    while (side.sent.size() < 2 * KeyScope.values().length) {
      environment.sleep(Duration.ofSeconds(10));
    }
    WorkflowStub.fromTyped(cron).terminate("seen enough");

    assertSame(2, ALL_BUT_RUN);
  }

  @Test
  void a_later_start_under_the_same_id_is_another_chain() {
    WorkflowIdReusePolicy again = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
    call("first");

    assertThat(stub(options("w").setWorkflowIdReusePolicy(again)).call("second")).isEqualTo("done");

    assertSame(2, EnumSet.of(KeyScope.BUSINESS, KeyScope.WORKFLOW));
  }

  @Test
  void a_child_is_another_workflow() {
    call("parent");

    assertSame(2, EnumSet.of(KeyScope.BUSINESS));
  }

  @Test
  void another_workflow_shares_a_business_key_alone() {
    call("one");

    assertThat(stub(options("another")).call("other")).isEqualTo("done");

    assertSame(2, EnumSet.of(KeyScope.BUSINESS));
  }
}
