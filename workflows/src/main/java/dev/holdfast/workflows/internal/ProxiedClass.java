package dev.holdfast.workflows.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * The class that an activity's JDK proxy stands for, where the proxy tells: such a proxy has the
 * interface's methods alone, so that what is annotated on the class would go unseen.
 */
final class ProxiedClass {
  /** As Spring's {@code TargetClassAware} has it, which nobody here may depend on. */
  private static final String TELLS = "getTargetClass";

  private ProxiedClass() {}

  static Class<?> of(Object activity) {
    Class<?> proxy = activity.getClass();
    if (!Proxy.isProxyClass(proxy)) {
      return proxy;
    }
    for (Class<?> shown : proxy.getInterfaces()) {
      for (Method method : shown.getMethods()) {
        if (method.getName().equals(TELLS) && method.getParameterCount() == 0) {
          return told(activity, method);
        }
      }
    }
    return proxy;
  }

  private static Class<?> told(Object activity, Method method) {
    try {
      return method.invoke(activity) instanceof Class<?> target ? target : activity.getClass();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "a proxy does not tell which activity class it stands for: " + activity.getClass(), e);
    }
  }
}
