package dev.holdfast.activities.internal;

import dev.holdfast.activities.Reconciles;
import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.FencedMethods;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Puts the barrier around every fenced activity of a worker. An activity without the annotation
 * passes through untouched.
 */
final class FencedActivityInterceptor extends WorkerInterceptorBase {
  private final Supplier<Barrier> barrier;
  private final HoldfastSettings settings;
  private final Reconcilers reconcilers;
  private final Verifiers verifiers;
  private final ConverterCheck converters = new ConverterCheck();

  /** By instance: each one may be its own reconciler. */
  private final Map<Object, Map<String, FencedActivity>> activities =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * @param barrier opened when the workers start
   */
  FencedActivityInterceptor(Supplier<Barrier> barrier, HoldfastSettings settings) {
    this.barrier = barrier;
    this.settings = settings;
    this.reconcilers = new Reconcilers(settings.reconcilers());
    this.verifiers = new Verifiers(settings.verifiers());
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
  Optional<FencedActivity> activity(Object implementation, String activityType) {
    return Optional.ofNullable(
        activities.computeIfAbsent(implementation, this::checked).get(activityType));
  }

  /** The fenced methods of an implementation, each of which this release can keep. */
  Map<String, FencedActivity> checked(Object implementation) {
    Map<String, FencedMethod> methods = FencedMethods.ofImplementation(implementation);
    Map<String, Reconciles<?>> asked = reconcilers.of(implementation, methods);
    Map<String, FencedActivity> fenced = new HashMap<>();
    methods.forEach(
        (type, method) ->
            fenced.put(
                type,
                new FencedActivity(method, asked.get(type), verifiers.of(implementation, method))));
    fenced.values().forEach(activity -> Protectable.check(activity, settings));
    return fenced;
  }

  /** Names each reconciler and verifier that none of these implementations could use. */
  List<String> idle(List<Object> implementations) {
    return Stream.concat(
            reconcilers.idle(implementations).stream(), verifiers.idle(implementations).stream())
        .toList();
  }

  ConverterCheck converters() {
    return converters;
  }

  Barrier barrier() {
    return barrier.get();
  }
}
