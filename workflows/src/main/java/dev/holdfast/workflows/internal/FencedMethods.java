package dev.holdfast.workflows.internal;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the fenced methods of activity interfaces and implementations, and checks what they
 * declare.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class FencedMethods {
  private FencedMethods() {}

  /**
   * The fenced methods of an activity implementation, by activity type. The annotation is read from
   * the interface method, then from the class method, through subclass and JDK proxies.
   *
   * @throws IllegalArgumentException a fenced method declares what cannot be kept; the message
   *     names the method and the cure
   */
  public static Map<String, FencedMethod> ofImplementation(Object activity) {
    throw new UnsupportedOperationException();
  }

  /** The fenced method behind this interface method, read from the interface alone. */
  public static Optional<FencedMethod> ofInterfaceMethod(String activityType, Method method) {
    throw new UnsupportedOperationException();
  }
}
