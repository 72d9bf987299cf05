package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.internal.BindingLookup;
import dev.holdfast.workflows.internal.LedgerLookup;
import dev.holdfast.workflows.internal.OperationHeader;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.activity.DynamicActivity;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.payload.context.ActivitySerializationContext;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One attempt of one activity. */
final class FencedInboundCalls extends ActivityInboundCallsInterceptorBase {
  private final FencedActivityInterceptor worker;
  private @Nullable FencedActivity activity;
  private @Nullable SynchronousContext context;
  private boolean dynamic;
  private boolean lookUp;

  FencedInboundCalls(ActivityInboundCallsInterceptor next, FencedActivityInterceptor worker) {
    super(next);
    this.worker = worker;
  }

  @Override
  public void init(ActivityExecutionContext root) {
    // a second plugin on the same worker finds the first one's barrier around it
    activity = EffectScope.isOpenHere() ? null : fencedActivity(root);
    dynamic = root.getInstance() instanceof DynamicActivity;
    lookUp =
        root.getInstance() instanceof LedgerLookup || root.getInstance() instanceof BindingLookup;
    if (activity == null) {
      super.init(root);
    } else {
      context = new SynchronousContext(root);
      super.init(context);
    }
  }

  @Override
  public ActivityOutput execute(ActivityInput input) {
    FencedActivity fenced = activity;
    SynchronousContext synchronous = context;
    // a look-up of ours does nothing that a header could be about
    if (lookUp || EffectScope.isOpenHere()) {
      return super.execute(input);
    }
    if (fenced == null || synchronous == null) {
      OperationHeader.readFrom(input.getHeader()).ifPresent(this::refuseUndeclared);
      return super.execute(input);
    }
    try {
      FencedCall call = call(fenced, synchronous, input);
      Supplier<ActivityOutput> body =
          () -> synchronous.whileActivityRuns(() -> super.execute(input));
      return beating(synchronous, () -> fetches(input) ? call.fetch(body) : call.run(body));
    } finally {
      Interrupts.clear();
    }
  }

  /** The workflow relies on a protection that nothing here declares. */
  private void refuseUndeclared(OperationHeader header) {
    if (dynamic) {
      throw HoldfastFailures.notProtectable(
          "dynamic",
          "the workflow calls a fenced activity, but this worker runs it as a dynamic one, which"
              + " has no method to declare what its effect needs: register an implementation of its"
              + " interface");
    }
    // while a new version is rolled out, the retry may find a worker that has it
    throw HoldfastFailures.retryable(
        HoldfastFailures.NOT_PROTECTABLE,
        "undeclared",
        header.keyDigest(),
        "the workflow calls the fenced activity "
            + header.operationType()
            + ", but the method that this worker runs is not marked: workflow worker and activity"
            + " worker need the same version of the activity interface; nothing was done");
  }

  private ActivityOutput beating(SynchronousContext attempt, Supplier<ActivityOutput> call) {
    Heartbeats.Beating beating = worker.barrier().heartbeats().start(attempt);
    try {
      return call.get();
    } finally {
      beating.close();
    }
  }

  private static boolean fetches(ActivityInput input) {
    return OperationHeader.readFrom(input.getHeader()).filter(OperationHeader::fetches).isPresent();
  }

  private @Nullable FencedActivity fencedActivity(ActivityExecutionContext root) {
    try {
      return worker.activity(root.getInstance(), root.getInfo().getActivityType()).orElse(null);
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.notProtectable("declaration", String.valueOf(e.getMessage()));
    }
  }

  private FencedCall call(
      FencedActivity fenced, SynchronousContext synchronous, ActivityInput input) {
    ActivityInfo info = synchronous.getInfo();
    if (info.isLocal()) {
      throw HoldfastFailures.notProtectable(
          "local",
          "a local activity runs again when its workflow task fails, beside itself even: call "
              + info.getActivityType()
              + " as an ordinary activity");
    }
    DataConverter root = synchronous.getWorkflowClient().getOptions().getDataConverter();
    DataConverter converter = root.withContext(new ActivitySerializationContext(info));
    worker.converters().refuseUnfit(root, converter);
    Barrier barrier = worker.barrier();
    FencedRequest request =
        new RequestReader(barrier.settings().ledgerScope()).read(fenced, info, input);
    return new FencedCall(
        barrier,
        request,
        new ResultCodec(converter, fenced.method().method()),
        new WaitInPlace(waitFor(barrier.settings(), info), synchronous::heartbeat));
  }

  /** Never so long that the attempt times out while it waits. */
  private static Duration waitFor(HoldfastSettings settings, ActivityInfo info) {
    Duration half = info.getStartToCloseTimeout().dividedBy(2);
    return half.isPositive() && half.compareTo(settings.waitInPlace()) < 0
        ? half
        : settings.waitInPlace();
  }
}
