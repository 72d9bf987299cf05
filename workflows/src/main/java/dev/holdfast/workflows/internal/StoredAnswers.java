package dev.holdfast.workflows.internal;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.OperationRef;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor.ActivityInput;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor.ActivityOutput;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns what the ledger keeps of a completed operation into what the workflow asked for. */
final class StoredAnswers<R> {
  private final KeyDigest key;
  private final WorkflowPayloads payloads;
  private final ActivityInput<R> input;
  private final Supplier<ActivityOutput<RawValue>> again;
  private final Supplier<ActivityOutput<RawValue>> fetch;

  /**
   * @param input says the type of the value
   * @param again schedules the activity once more
   * @param fetch schedules it for the stored result, which it gets whatever became of the binding
   */
  StoredAnswers(
      KeyDigest key,
      WorkflowPayloads payloads,
      ActivityInput<R> input,
      Supplier<ActivityOutput<RawValue>> again,
      Supplier<ActivityOutput<RawValue>> fetch) {
    this.key = key;
    this.payloads = payloads;
    this.input = input;
    this.again = again;
    this.fetch = fetch;
  }

  /** The answer of a completed operation. */
  SettledAnswer<R> read(LookedUp row, String activityId) {
    return new SettledAnswer<>(value(row), reference(row, activityId));
  }

  /** The reference of a completed operation. */
  ResultMetadata reference(LookedUp row, String activityId) {
    OperationRef ref = row.ref();
    if (ref == null) {
      throw HoldfastFailures.notProtectable(
          "no-reference",
          "the ledger has no completion of operation #%s: does Holdfast's plugin run on the worker?"
              .formatted(key));
    }
    return new ResultMetadata(ref, !own(activityId).equals(row.committedBy()));
  }

  /** An activity of this very run. */
  static LookedUp.ActivityIdentity own(String activityId) {
    WorkflowInfo here = Workflow.getInfo();
    return new LookedUp.ActivityIdentity(here.getWorkflowId(), here.getRunId(), activityId);
  }

  /** An activity's own answer, with its reference where the worker sent one. */
  SettledAnswer<R> answered(@Nullable RawValue raw) {
    return raw == null
        ? new SettledAnswer<>(null, null)
        : new SettledAnswer<>(
            payloads.decode(payloads.encode(raw), input.getResultClass(), input.getResultType()),
            ResultMetadata.readFrom(raw.getPayload()).orElse(null));
  }

  /** Schedules the activity once more. */
  ActivityOutput<RawValue> again() {
    return again.get();
  }

  private @Nullable R value(LookedUp row) {
    return switch (row.resultKind()) {
      case VALUE, NULL -> stored(row.result());
      case VOID -> null;
      case TOO_LARGE -> answered(fetch.get().getResult().get()).value();
      case NOT_STORED, NONE ->
          throw failure(HoldfastFailures.RESULT_NOT_TRANSPORTABLE, "is committed without a result");
    };
  }

  private @Nullable R stored(@Nullable StoredPayload result) {
    try {
      return result == null
          ? null
          : payloads.decode(result.payload(), input.getResultClass(), input.getResultType());
    } catch (InvalidProtocolBufferException e) {
      throw undecodable();
    } catch (RuntimeException e) {
      // out of reach for the moment: the workflow task is tried again, as for any payload
      throw CodecOutage.isBehind(e) ? e : undecodable();
    }
  }

  private ApplicationFailure undecodable() {
    return failure(HoldfastFailures.REPLAY_UNDECODABLE, "has a result that does not decode");
  }

  private ApplicationFailure failure(String type, String what) {
    return HoldfastFailures.nonRetryable(
        type, "stored-result", key, "operation #" + key + " " + what);
  }
}
