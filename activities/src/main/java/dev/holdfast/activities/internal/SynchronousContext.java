package dev.holdfast.activities.internal;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ManualActivityCompletionClient;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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

  /** So that no heartbeat of the barrier overtakes a later one of the activity. */
  private final ReentrantLock beats = new ReentrantLock();

  private volatile boolean heartbeatByActivity;
  private @Nullable Object lastByActivity;
  private boolean activityRuns;
  private boolean ended;

  SynchronousContext(ActivityExecutionContext root) {
    super(root);
    this.root = root;
  }

  /** Says that the attempt lives, with the last details of the activity, else of its attempts. */
  void heartbeat() {
    beats.lock();
    try {
      root.heartbeat(lastDetails());
    } finally {
      beats.unlock();
    }
  }

  /**
   * The same on a thread of the barrier. While the activity runs it does so only until the activity
   * heartbeats itself: from then on a hung one is told by its silence.
   *
   * @return whether the attempt goes on
   */
  boolean heartbeatAside() {
    beats.lock();
    try {
      if (!ended && !(activityRuns && heartbeatByActivity)) {
        root.heartbeat(lastDetails());
      }
      return !ended;
    } catch (ActivityCompletionException told) {
      // the SDK keeps it: the activity's own heartbeat throws it, its token is cancelled
      return true;
    } catch (RuntimeException e) {
      Transitions.heartbeatFailed(e);
      return true;
    } finally {
      beats.unlock();
    }
  }

  private @Nullable Object lastDetails() {
    return heartbeatByActivity
        ? lastByActivity
        : root.getLastHeartbeatDetails(RawValue.class).orElse(null);
  }

  /** Runs the activity's own code, which may heartbeat. */
  <T> T whileActivityRuns(Supplier<T> activity) {
    runs(true);
    try {
      return activity.get();
    } finally {
      runs(false);
    }
  }

  private void runs(boolean now) {
    beats.lock();
    try {
      activityRuns = now;
    } finally {
      beats.unlock();
    }
  }

  /** No heartbeat of the barrier is under way from here on. */
  void end() {
    beats.lock();
    try {
      ended = true;
    } finally {
      beats.unlock();
    }
  }

  @Override
  public <V> void heartbeat(V details) {
    beats.lock();
    try {
      heartbeatByActivity = true;
      lastByActivity = details;
      super.heartbeat(details);
    } finally {
      beats.unlock();
    }
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
