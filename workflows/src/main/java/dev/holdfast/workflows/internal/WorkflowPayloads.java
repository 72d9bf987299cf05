package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor.ActivityInput;
import io.temporal.internal.sync.WorkflowInternal;
import io.temporal.payload.context.ActivitySerializationContext;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The worker's converter and codec, as the SDK applies them to one activity of this workflow. */
final class WorkflowPayloads {
  /** The server's limit, which it keeps by terminating the workflow, less a little headroom. */
  static final int ARGUMENTS_LIMIT = 2 * 1024 * 1024 - 1024;

  private final DataConverter converter;

  private WorkflowPayloads(DataConverter converter) {
    this.converter = converter;
  }

  /** No public call of the SDK gives workflow code the converter; the plugin cannot at replay. */
  static WorkflowPayloads of(ActivityInput<?> input) {
    WorkflowInfo workflow = Workflow.getInfo();
    ActivityOptions options = input.getOptions();
    String taskQueue =
        options.getTaskQueue() == null ? workflow.getTaskQueue() : options.getTaskQueue();
    return new WorkflowPayloads(
        WorkflowInternal.getDataConverter()
            .withContext(
                new ActivitySerializationContext(
                    workflow.getNamespace(),
                    workflow.getWorkflowId(),
                    workflow.getWorkflowType(),
                    input.getActivityName(),
                    taskQueue,
                    false)));
  }

  /**
   * Measured after the codec, because that is what the server measures.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: the server would
   *     terminate the workflow
   */
  void refuseTooLarge(@Nullable Object[] arguments) {
    int size = converter.toPayloads(arguments).map(Payloads::getSerializedSize).orElse(0);
    if (size > ARGUMENTS_LIMIT) {
      throw HoldfastFailures.invalidOperation(
          "arguments-too-large",
          "the encoded arguments have %d bytes; Temporal takes %d: pass a reference instead"
              .formatted(size, ARGUMENTS_LIMIT));
    }
  }

  /** Decodes a payload that still bears the codec's encoding. */
  <R> @Nullable R decode(Payload encoded, Class<R> type, Type genericType) {
    Optional<Payloads> payloads = Optional.of(Payloads.newBuilder().addPayloads(encoded).build());
    return converter.fromPayloads(0, payloads, type, genericType);
  }

  /** A raw value lost its codec's encoding; decoding applies the codec, so it is put back first. */
  Payload encode(Object rawValue) {
    return converter.toPayload(rawValue).orElseThrow();
  }
}
