package dev.holdfast.workflows.internal;

import io.temporal.activity.ActivityInterface;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The typed activity stub through which the current call came: the nearest proxy on the stack that
 * implements an activity interface. There is none under an untyped stub.
 */
final class StubOnStack {
  private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  private StubOnStack() {}

  static Optional<Class<?>> find() {
    return STACK.walk(
        frames ->
            frames
                .map(StackFrame::getDeclaringClass)
                .filter(Proxy::isProxyClass)
                .flatMap(StubOnStack::activityInterfaces)
                .findFirst());
  }

  private static Stream<Class<?>> activityInterfaces(Class<?> proxy) {
    return Stream.<Class<?>>of(proxy.getInterfaces())
        .filter(type -> type.isAnnotationPresent(ActivityInterface.class));
  }
}
