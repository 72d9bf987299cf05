package io.temporal.worker;

import io.temporal.internal.activity.ActivityTaskHandlerImpl;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is registered on a worker, and registers an activity for local calls alone. The SDK
 * offers neither in public: an activity registered in the ordinary way makes a worker that runs
 * workflows only poll for activities.
 *
 * <p>For Holdfast alone; tested on each supported version of the SDK. What it finds changed it
 * tells by a {@link LinkageError} or a {@link ReflectiveOperationException}.
 */
public final class HoldfastBridge {
  private HoldfastBridge() {}

  /** The activity implementations registered on this worker, dynamic ones included. */
  public static List<Object> registeredActivities(Worker worker)
      throws ReflectiveOperationException {
    if (worker.activityWorker == null) {
      return List.of();
    }
    Object handler = read(worker.activityWorker, "taskHandler");
    List<Object> executors = new ArrayList<>(activities(handler).values());
    Object dynamic = read(handler, "dynamicActivity");
    if (dynamic != null) {
      executors.add(dynamic);
    }
    List<Object> implementations = new ArrayList<>();
    for (Object executor : executors) {
      Object implementation = read(executor, "activity");
      if (implementation != null && !implementations.contains(implementation)) {
        implementations.add(implementation);
      }
    }
    return implementations;
  }

  /** Registers this activity for local calls, unless one of that type is. */
  public static void registerLocally(Worker worker, String activityType, Object activity)
      throws ReflectiveOperationException {
    Object handler = read(worker.workflowWorker, "laTaskHandler");
    if (!activities(handler).containsKey(activityType)) {
      worker.workflowWorker.registerLocalActivityImplementations(activity);
    }
  }

  private static Map<?, ?> activities(@Nullable Object handler)
      throws ReflectiveOperationException {
    if (handler instanceof ActivityTaskHandlerImpl
        && read(handler, "activities") instanceof Map<?, ?> map) {
      return map;
    }
    throw new NoSuchFieldException("activities");
  }

  private static @Nullable Object read(@Nullable Object owner, String name)
      throws ReflectiveOperationException {
    if (owner == null) {
      throw new NoSuchFieldException(name);
    }
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
