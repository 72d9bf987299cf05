package dev.holdfast.activities.bed;

import io.nexusrpc.Operation;
import io.nexusrpc.Service;
import io.nexusrpc.handler.OperationHandler;
import io.nexusrpc.handler.OperationImpl;
import io.nexusrpc.handler.ServiceImpl;
import io.temporal.client.WorkflowOptions;
import io.temporal.nexus.Nexus;
import io.temporal.nexus.WorkflowHandle;
import io.temporal.nexus.WorkflowRunOperation;
import io.temporal.workflow.NexusOperationOptions;
import io.temporal.workflow.NexusServiceOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** A Nexus service that has an effect done, and a workflow that calls it. */
public final class NexusBed {
  /** The endpoint's name. */
  public static final String ENDPOINT = "effects";

  private NexusBed() {}

  /** The service. */
  @Service
  public interface Effects {
    /** By a workflow. */
    @Operation
    String byWorkflow(String key);

    /** In the handler itself. */
    @Operation
    String inHandler(String key);
  }

  /** The handlers. */
  @ServiceImpl(service = Effects.class)
  public static final class Handlers {
    private final Upstream upstream;

    public Handlers(Upstream upstream) {
      this.upstream = upstream;
    }

    /** Starts a workflow that calls the fenced activity. */
    @OperationImpl
    public OperationHandler<String, String> byWorkflow() {
      return WorkflowRunOperation.fromWorkflowHandle(
          (context, details, key) ->
              WorkflowHandle.fromWorkflowMethod(
                  Nexus.getOperationContext()
                          .getWorkflowClient()
                          .newWorkflowStub(
                              CallWorkflow.class,
                              WorkflowOptions.newBuilder()
                                  .setTaskQueue(WorkerBed.QUEUE)
                                  .setWorkflowId(details.getRequestId())
                                  .build())
                      ::call,
                  CallWorkflow.Call.once(key, "x")));
    }

    /** Takes the effect as an activity would. */
    @OperationImpl
    public OperationHandler<String, String> inHandler() {
      return OperationHandler.sync((context, details, key) -> upstream.dispatch("x"));
    }
  }

  /** Calls the service. */
  @WorkflowInterface
  public interface Caller {
    @WorkflowMethod
    String call(boolean byWorkflow, String key);
  }

  /** The workflow. */
  public static final class CallerImpl implements Caller {
    @Override
    public String call(boolean byWorkflow, String key) {
      Effects effects =
          Workflow.newNexusServiceStub(
              Effects.class,
              NexusServiceOptions.newBuilder()
                  .setEndpoint(ENDPOINT)
                  .setOperationOptions(
                      NexusOperationOptions.newBuilder()
                          .setScheduleToCloseTimeout(Duration.ofSeconds(30))
                          .build())
                  .build());
      return byWorkflow ? effects.byWorkflow(key) : effects.inHandler(key);
    }
  }
}
