package dev.holdfast.workflows.internal;

import dev.holdfast.Fenced;
import io.temporal.activity.DynamicActivity;
import io.temporal.common.metadata.POJOActivityImplMetadata;
import io.temporal.common.metadata.POJOActivityInterfaceMetadata;
import io.temporal.common.metadata.POJOActivityMethodMetadata;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the fenced methods of activity interfaces and implementations, and checks what they
 * declare. Pure; safe for any thread; callers cache.
 */
public final class FencedMethods {
  private FencedMethods() {}

  /**
   * The fenced methods of an activity implementation, by activity type. The annotation is read from
   * the interface method, then from the class method, through subclass proxies and those that tell
   * the class they stand for, as Spring's do.
   *
   * @throws IllegalArgumentException a fenced method declares what cannot be kept; the message
   *     names the method and the cure
   */
  public static Map<String, FencedMethod> ofImplementation(Object activity) {
    return ofClass(classOf(activity));
  }

  /** The class of an activity implementation; that behind a JDK proxy which tells it. */
  public static Class<?> classOf(Object activity) {
    return ProxiedClass.of(activity);
  }

  /** Whether this is a proxy with methods that are fenced where nobody can see it, if at all. */
  public static boolean mayHideFenced(Object activity) {
    Class<?> seen = ProxiedClass.of(activity);
    return Proxy.isProxyClass(seen) && all(seen).values().stream().anyMatch(Optional::isEmpty);
  }

  /** {@link #ofImplementation} of an instance of this class; none for a dynamic activity. */
  public static Map<String, FencedMethod> ofClass(Class<?> activityClass) {
    refuseStrays(activityClass);
    Map<String, FencedMethod> fenced = new LinkedHashMap<>();
    all(activityClass).forEach((type, method) -> method.ifPresent(m -> fenced.put(type, m)));
    return fenced;
  }

  /** The fenced method behind this interface method, read from the interface alone. */
  public static Optional<FencedMethod> ofInterfaceMethod(String activityType, Method method) {
    return Optional.ofNullable(method.getAnnotation(Fenced.class))
        .map(fenced -> FencedReader.read(activityType, method, method, fenced));
  }

  /** All activities of an interface or implementation class by type; empty where not fenced. */
  static Map<String, Optional<FencedMethod>> all(Class<?> type) {
    Map<String, Optional<FencedMethod>> methods = new HashMap<>();
    for (POJOActivityMethodMetadata activity : activities(type)) {
      methods.put(
          activity.getActivityTypeName(),
          resolve(activity.getActivityTypeName(), activity.getMethod(), type));
    }
    return methods;
  }

  /** An annotation on a method that is no activity would look like a protection and be none. */
  private static void refuseStrays(Class<?> activityClass) {
    List<POJOActivityMethodMetadata> activities = activities(activityClass);
    for (Class<?> owner = activityClass; owner != null; owner = owner.getSuperclass()) {
      for (Method method : owner.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Fenced.class)
            && activities.stream().noneMatch(activity -> overrides(method, activity.getMethod()))) {
          throw ParameterReader.refused(method, "is fenced, but no activity interface has it");
        }
      }
    }
  }

  private static List<POJOActivityMethodMetadata> activities(Class<?> type) {
    if (DynamicActivity.class.isAssignableFrom(type)) {
      return List.of();
    }
    return type.isInterface()
        ? POJOActivityInterfaceMetadata.newInstance(type).getMethodsMetadata()
        : POJOActivityImplMetadata.newInstance(type).getActivityMethods();
  }

  private static Optional<FencedMethod> resolve(String activityType, Method method, Class<?> type) {
    return ofInterfaceMethod(activityType, method)
        .or(() -> ofClassMethod(activityType, method, type));
  }

  /** Subclass proxies carry no annotations, so the search goes up to the class they stand for. */
  private static Optional<FencedMethod> ofClassMethod(
      String activityType, Method method, Class<?> type) {
    for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
      for (Method candidate : owner.getDeclaredMethods()) {
        Fenced fenced = candidate.getAnnotation(Fenced.class);
        if (fenced != null && !candidate.isBridge() && overrides(candidate, method)) {
          return Optional.of(FencedReader.read(activityType, method, candidate, fenced));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean overrides(Method candidate, Method method) {
    return candidate.getName().equals(method.getName())
        && List.of(candidate.getParameterTypes()).equals(List.of(method.getParameterTypes()));
  }
}
