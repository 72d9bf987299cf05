package dev.holdfast.spring;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.spring.boot.WorkflowImpl;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** Exports a document, shares it and tells of it; found by the Temporal starter's scan. */
@WorkflowInterface
public interface ExportWorkflow {
  String QUEUE = "booted";

  @WorkflowMethod
  String run(String id, String title);

  /** The first effect: fenced by its interface. */
  @ActivityInterface
  interface Exports {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String export(@OperationKey String id, String title);
  }

  /** The second effect: fenced by its class, which the proxy stands before. */
  @ActivityInterface
  interface Shares {
    String share(@OperationKey String id, String document);
  }

  /** A third one, fenced by its class, which its proxy is none of. */
  @ActivityInterface
  interface Notices {
    String tell(@OperationKey String id, String link);
  }

  /** The workflow. */
  @WorkflowImpl(taskQueues = QUEUE)
  final class Impl implements ExportWorkflow {
    private static final ActivityOptions OPTIONS =
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setRetryOptions(
                RetryOptions.newBuilder().setInitialInterval(Duration.ofMillis(100)).build())
            .build();

    @Override
    public String run(String id, String title) {
      String document = Workflow.newActivityStub(Exports.class, OPTIONS).export(id, title);
      String link = Workflow.newActivityStub(Shares.class, OPTIONS).share(id, document);
      return Workflow.newActivityStub(Notices.class, OPTIONS).tell(id, link);
    }
  }
}
