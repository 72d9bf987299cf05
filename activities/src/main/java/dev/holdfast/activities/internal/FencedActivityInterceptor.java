package dev.holdfast.activities.internal;

import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.FencedMethods;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Puts the barrier around every fenced activity of a worker. An activity without the annotation
 * passes through untouched.
 */
final class FencedActivityInterceptor extends WorkerInterceptorBase {
  private final Supplier<Barrier> barrier;
  private final HoldfastSettings settings;
  private final Map<Class<?>, Map<String, FencedMethod>> methods = new ConcurrentHashMap<>();

  /**
   * @param barrier opened when the workers start
   */
  FencedActivityInterceptor(Supplier<Barrier> barrier, HoldfastSettings settings) {
    this.barrier = barrier;
    this.settings = settings;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new FencedInboundCalls(next, this);
  }

  /**
   * The fenced method behind an activity type of this implementation.
   *
   * @throws IllegalArgumentException it declares what cannot be kept
   */
  Optional<FencedMethod> method(Object activity, String activityType) {
    return Optional.ofNullable(
        methods.computeIfAbsent(activity.getClass(), this::checked).get(activityType));
  }

  /** The fenced methods of an implementation, each of which this release can keep. */
  Map<String, FencedMethod> checked(Class<?> implementation) {
    Map<String, FencedMethod> fenced = FencedMethods.ofClass(implementation);
    fenced.values().forEach(method -> Protectable.check(method, settings));
    return fenced;
  }

  Barrier barrier() {
    return barrier.get();
  }
}
