package dev.holdfast.activities.bed;

import dev.holdfast.activities.Holdfast;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.WorkerPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Temporal's in-process server without time skipping, and workers on it that run fenced activities.
 * Each worker has a factory, hence a keeper, of its own.
 */
public final class WorkerBed implements AutoCloseable {
  /** The one task queue. */
  public static final String QUEUE = "fenced";

  /** Short enough to see one run out, long enough for a loaded machine. */
  public static final Duration LEASE = Duration.ofSeconds(3);

  private static final Class<?>[] WORKFLOWS = {
    CallWorkflow.Impl.class,
    CancellableWorkflow.Impl.class,
    BoundWorkflow.Impl.class,
    ExportThenShareWorkflow.Impl.class,
    ResultsWorkflow.Impl.class,
    UntypedWorkflow.Impl.class,
    BoundedWorkflow.Impl.class,
    OddInputWorkflow.Impl.class,
    GateWorkflow.ExportImpl.class,
    GateWorkflow.ShareImpl.class,
    GateWorkflow.RequireImpl.class,
    UnprotectableWorkflows.LocalImpl.class
  };

  private final TestWorkflowEnvironment temporal;
  private final List<WorkerFactory> factories = new ArrayList<>();

  public WorkerBed() {
    this(WorkflowClientOptions.getDefaultInstance());
  }

  public WorkerBed(WorkflowClientOptions client) {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkflowClientOptions(client)
                .build());
  }

  /** The plugin of most tests. */
  public static WorkerPlugin plugin(DataSource dataSource) {
    return Holdfast.newBuilder(dataSource)
        .setLease(LEASE)
        .setWaitInPlace(Duration.ofMillis(300))
        .build();
  }

  /** Starts a worker with this plugin that runs all workflows of the tests and these activities. */
  public WorkerFactory start(WorkerPlugin plugin, Object... activities) {
    return start(WorkerFactoryOptions.newBuilder().setPlugins(plugin).build(), activities);
  }

  /**
   * Starts one worker for the workflows and another for the activities, so that the workflow side
   * knows no method of an activity that is called by its name.
   */
  public WorkerFactory startApart(DataSource dataSource, Object... activities) {
    start(plugin(dataSource));
    WorkerFactory factory =
        factory(WorkerFactoryOptions.newBuilder().setPlugins(plugin(dataSource)).build());
    factory.newWorker(QUEUE).registerActivitiesImplementations(activities);
    factory.start();
    return factory;
  }

  /** Starts a worker with interceptors of a user's own beside the plugin. */
  public WorkerFactory start(WorkerPlugin plugin, WorkerInterceptor users, Object... activities) {
    return start(
        WorkerFactoryOptions.newBuilder().setPlugins(plugin).setWorkerInterceptors(users).build(),
        activities);
  }

  /** Starts a worker with these options. */
  public WorkerFactory start(WorkerFactoryOptions options, Object... activities) {
    WorkerFactory factory = factory(options);
    Worker worker =
        factory.newWorker(QUEUE, WorkerOptions.newBuilder().setDisableEagerExecution(true).build());
    worker.registerWorkflowImplementationTypes(WORKFLOWS);
    if (activities.length > 0) {
      worker.registerActivitiesImplementations(activities);
    }
    factory.start();
    return factory;
  }

  /**
   * Starts a worker with a client, hence a converter, of its own on a task queue of its own, for
   * this workflow and these activities.
   */
  public Side side(
      String queue,
      DataConverter converter,
      DataSource ledger,
      Class<?> workflow,
      Object... activities) {
    WorkflowClient client =
        WorkflowClient.newInstance(
            temporal.getWorkflowServiceStubs(),
            WorkflowClientOptions.newBuilder()
                .setNamespace(temporal.getNamespace())
                .setDataConverter(converter)
                .build());
    WorkerFactory factory =
        WorkerFactory.newInstance(
            client, WorkerFactoryOptions.newBuilder().setPlugins(plugin(ledger)).build());
    factories.add(factory);
    Worker worker = factory.newWorker(queue);
    worker.registerWorkflowImplementationTypes(workflow);
    worker.registerActivitiesImplementations(activities);
    factory.start();
    return new Side(client, queue);
  }

  /** Whoever starts workflows on one task queue, and encodes as its worker does. */
  public record Side(WorkflowClient client, String queue) {
    /** A stub of a new workflow. */
    public <T> T workflow(Class<T> type) {
      return client.newWorkflowStub(
          type,
          WorkflowOptions.newBuilder()
              .setTaskQueue(queue)
              // a workflow task that cannot succeed is tried for ever
              .setWorkflowRunTimeout(Duration.ofSeconds(60))
              .build());
    }
  }

  /** A factory that the test starts itself; it is shut down with the bed. */
  public WorkerFactory factory(WorkerFactoryOptions options) {
    WorkerFactory factory = WorkerFactory.newInstance(temporal.getWorkflowClient(), options);
    factories.add(factory);
    return factory;
  }

  /** A stub of a new workflow. */
  public <T> T workflow(Class<T> type) {
    return workflow(UUID.randomUUID().toString(), type);
  }

  /** A stub of a new workflow of this id. */
  public <T> T workflow(String id, Class<T> type) {
    return temporal
        .getWorkflowClient()
        .newWorkflowStub(
            type, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(id).build());
  }

  /** What happened in a workflow so far. */
  public WorkflowExecutionHistory history(String workflowId) {
    return temporal.getWorkflowClient().fetchHistory(workflowId);
  }

  public TestWorkflowEnvironment temporal() {
    return temporal;
  }

  @Override
  public void close() {
    factories.forEach(WorkerFactory::shutdownNow);
    temporal.close();
  }
}
