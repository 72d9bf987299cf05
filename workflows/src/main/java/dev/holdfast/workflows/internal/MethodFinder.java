package dev.holdfast.workflows.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Finds the method behind an activity name, which is all that Temporal gives an interceptor: among
 * the named interfaces, then among the registered activities, then by the stub on the call stack.
 */
final class MethodFinder {
  private final Map<String, Optional<FencedMethod>> named = new HashMap<>();
  private final Supplier<? extends Collection<Class<?>>> registered;
  private final Map<Class<?>, Map<String, Optional<FencedMethod>>> read = new ConcurrentHashMap<>();
  private final Map<Call, Optional<FencedMethod>> found = new ConcurrentHashMap<>();

  MethodFinder(
      Collection<Class<?>> namedInterfaces, Supplier<? extends Collection<Class<?>>> registered) {
    namedInterfaces.forEach(type -> named.putAll(FencedMethods.all(type)));
    this.registered = registered;
  }

  /** The fenced method, where a method was found and is fenced. Must run on the stub's thread. */
  Optional<FencedMethod> find(String workflowType, String activityType) {
    Call call = new Call(workflowType, activityType);
    Optional<FencedMethod> known = found.get(call);
    if (known != null) {
      return known;
    }
    Optional<Optional<FencedMethod>> method = search(activityType);
    // an untyped stub has no method: the next one under this name may be typed
    method.ifPresent(m -> found.put(call, m));
    return method.flatMap(m -> m);
  }

  private Optional<Optional<FencedMethod>> search(String activityType) {
    return Optional.ofNullable(named.get(activityType))
        .or(() -> amongRegistered(activityType))
        .or(() -> StubOnStack.find().flatMap(stub -> in(stub, activityType)));
  }

  private Optional<Optional<FencedMethod>> amongRegistered(String activityType) {
    return registered.get().stream().flatMap(type -> in(type, activityType).stream()).findFirst();
  }

  private Optional<Optional<FencedMethod>> in(Class<?> type, String activityType) {
    return Optional.ofNullable(read.computeIfAbsent(type, FencedMethods::all).get(activityType));
  }

  private record Call(String workflowType, String activityType) {}
}
