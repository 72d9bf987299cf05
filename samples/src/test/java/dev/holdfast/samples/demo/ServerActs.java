package dev.holdfast.samples.demo;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Durations;
import io.temporal.api.activity.v1.ActivityOptions;
import io.temporal.api.common.v1.RetryPolicy;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.PauseActivityRequest;
import io.temporal.api.workflowservice.v1.ResetActivityRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.UnpauseActivityRequest;
import io.temporal.api.workflowservice.v1.UpdateActivityOptionsRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.Optional;
import java.util.UUID;

/** What an operator can order a real server to do with a workflow's only activity. */
final class ServerActs {
  private static final String NAMESPACE = "default";
  private static final String TYPE = "Order";

  /** The history event that ends the first workflow task, before anything was scheduled. */
  private static final long FIRST_TASK_COMPLETED = 4;

  private final WorkflowServiceBlockingStub server;

  ServerActs(WorkflowServiceStubs service) {
    this.server = service.blockingStub();
  }

  private static WorkflowExecution workflow(String id) {
    return WorkflowExecution.newBuilder().setWorkflowId(id).build();
  }

  void resetWorkflow(String id) {
    var unused =
        server.resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setWorkflowExecution(workflow(id))
                .setWorkflowTaskFinishEventId(FIRST_TASK_COMPLETED)
                .setRequestId(UUID.randomUUID().toString())
                .setReason("a test")
                .build());
  }

  void pause(String id) {
    var unused =
        server.pauseActivity(
            PauseActivityRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(workflow(id))
                .setType(TYPE)
                .setReason("a test")
                .build());
  }

  /** With its attempts counted anew, its details kept. */
  void unpause(String id) {
    var unused =
        server.unpauseActivity(
            UnpauseActivityRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(workflow(id))
                .setType(TYPE)
                .setResetAttempts(true)
                .build());
  }

  /** Its details kept. */
  void resetActivity(String id) {
    var unused =
        server.resetActivity(
            ResetActivityRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(workflow(id))
                .setType(TYPE)
                .build());
  }

  /** An attempt may last two seconds, and is retried after one. */
  void hurry(String id) {
    var unused =
        server.updateActivityOptions(
            UpdateActivityOptionsRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(workflow(id))
                .setType(TYPE)
                .setActivityOptions(
                    ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Durations.fromSeconds(2))
                        .setRetryPolicy(
                            RetryPolicy.newBuilder().setInitialInterval(Durations.fromSeconds(1))))
                .setUpdateMask(
                    FieldMask.newBuilder()
                        .addPaths("start_to_close_timeout")
                        .addPaths("retry_policy.initial_interval"))
                .build());
  }

  /** The activity of the workflow's current run, while it is under way. */
  Optional<PendingActivityInfo> pending(String id) {
    return server
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(workflow(id))
                .build())
        .getPendingActivitiesList()
        .stream()
        .findFirst();
  }
}
