package dev.holdfast.workflows.internal;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A worker as the workflow side expects it: reads the header, puts the reference in the result. */
final class WorkerSide extends WorkerInterceptorBase {
  final Map<String, Optional<OperationHeader>> headers = new ConcurrentHashMap<>();
  final List<String> executed = new CopyOnWriteArrayList<>();
  final List<Sent> sent = new CopyOnWriteArrayList<>();
  volatile boolean sendsReference = true;

  /** One header that came. */
  record Sent(String activityType, OperationHeader header) {}

  /** The header of the last call of this activity. */
  OperationHeader header(String activityType) {
    return Objects.requireNonNull(headers.get(activityType)).orElseThrow();
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new Inbound(next);
  }

  private final class Inbound extends ActivityInboundCallsInterceptorBase {
    private @Nullable ActivityExecutionContext context;

    Inbound(ActivityInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void init(ActivityExecutionContext context) {
      this.context = context;
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      ActivityExecutionContext context = Objects.requireNonNull(this.context);
      String type = context.getInfo().getActivityType();
      Optional<OperationHeader> header = OperationHeader.readFrom(input.getHeader());
      headers.put(type, header);
      header.ifPresent(came -> sent.add(new Sent(type, came)));
      executed.add(type);
      ActivityOutput output = super.execute(input);
      return header.isPresent() && sendsReference ? withReference(output, context) : output;
    }

    private ActivityOutput withReference(ActivityOutput output, ActivityExecutionContext context) {
      DataConverter converter = context.getWorkflowClient().getOptions().getDataConverter();
      Payload payload = converter.toPayload(output.getResult()).orElseThrow();
      if (converter instanceof CodecDataConverter codec) {
        payload = codec.decode(List.of(payload)).getFirst();
      }
      ResultMetadata metadata = new ResultMetadata(Refs.ref("Export", "e-1"), false);
      return new ActivityOutput(new RawValue(metadata.writeTo(payload)));
    }
  }
}
