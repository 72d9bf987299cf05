package dev.holdfast.spring;

import dev.holdfast.Fenced;
import io.temporal.activity.ActivityInterface;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses an activity bean behind a proxy of its interfaces alone whose class bears {@link Fenced}:
 * the plugin sees the proxy, which has no such class, and would leave the activity unprotected.
 * Without an order it comes after those that make proxies.
 */
final class JdkProxyCheck implements BeanPostProcessor {
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (AopUtils.isJdkDynamicProxy(bean) && isActivity(bean.getClass())) {
      for (Method method :
          ReflectionUtils.getUniqueDeclaredMethods(AopUtils.getTargetClass(bean))) {
        refuseHidden(bean.getClass(), method, name);
      }
    }
    return bean;
  }

  private static void refuseHidden(Class<?> proxy, Method method, String name) {
    if (method.isAnnotationPresent(Fenced.class)
        && Arrays.stream(ClassUtils.getAllInterfacesForClass(proxy))
            .map(
                type ->
                    ClassUtils.getMethodIfAvailable(
                        type, method.getName(), method.getParameterTypes()))
            .noneMatch(found -> found != null && found.isAnnotationPresent(Fenced.class))) {
      throw new StartRefusedException(
          "the bean "
              + name
              + " hides that "
              + method.getName()
              + " is fenced: its proxy has the interfaces alone",
          "Put @Fenced on the method of the activity interface, or proxy the class"
              + " (proxyTargetClass)");
    }
  }

  private static boolean isActivity(Class<?> proxy) {
    return Arrays.stream(ClassUtils.getAllInterfacesForClass(proxy))
        .anyMatch(type -> type.isAnnotationPresent(ActivityInterface.class));
  }
}
