package dev.holdfast.activities.internal;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ManualActivityCompletionClient;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The context that a fenced activity sees: refuses to complete elsewhere, because the receipt must
 * be committed before, and keeps the barrier's own heartbeats from wiping the activity's details.
 */
final class SynchronousContext extends ActivityExecutionContextBase {
  private static final String CODE = "asynchronous";
  private static final String WHY =
      "a fenced activity completes when its method returns, after its receipt is committed: it"
          + " cannot be completed elsewhere";

  private final ActivityExecutionContext root;
  private volatile boolean heartbeatByActivity;

  SynchronousContext(ActivityExecutionContext root) {
    super(root);
    this.root = root;
  }

  /** Says that the attempt lives, with the details of the last attempt, unless the activity did. */
  void heartbeat() {
    @Nullable RawValue last = root.getLastHeartbeatDetails(RawValue.class).orElse(null);
    root.heartbeat(last);
  }

  @Override
  public <V> void heartbeat(V details) {
    heartbeatByActivity = true;
    super.heartbeat(details);
  }

  @Override
  public <V> Optional<V> getHeartbeatDetails(Class<V> detailsClass) {
    return getHeartbeatDetails(detailsClass, detailsClass);
  }

  @Override
  public <V> Optional<V> getHeartbeatDetails(Class<V> detailsClass, Type genericType) {
    return heartbeatByActivity
        ? super.getHeartbeatDetails(detailsClass, genericType)
        : getLastHeartbeatDetails(detailsClass, genericType);
  }

  @Override
  public void doNotCompleteOnReturn() {
    throw elsewhere();
  }

  @Override
  public ManualActivityCompletionClient useLocalManualCompletion() {
    throw elsewhere();
  }

  private static ApplicationFailure elsewhere() {
    return Refusals.unprotectable(CODE, WHY);
  }
}
