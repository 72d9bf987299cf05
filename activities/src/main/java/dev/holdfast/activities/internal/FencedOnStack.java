package dev.holdfast.activities.internal;

import dev.holdfast.Fenced;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fenced methods between the barrier and whoever asks for the effect. One that is not the
 * barrier's own was called as plain Java: no interceptor saw it, so nothing protects its effect.
 */
final class FencedOnStack {
  private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  /** The methods that are marked in a class, its parents and their interfaces. */
  private static final ClassValue<List<Method>> MARKED =
      new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
          List<Method> marked = new ArrayList<>();
          for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            addMarked(owner, marked);
          }
          return List.copyOf(marked);
        }
      };

  private FencedOnStack() {}

  /** The innermost fenced method on this thread's stack that is not the barrier's. */
  static Optional<Method> within(Method barriers) {
    return STACK.walk(
        frames ->
            frames
                .takeWhile(frame -> !isBarrier(frame))
                .flatMap(FencedOnStack::fenced)
                .filter(method -> !isSame(method, barriers))
                .findFirst());
  }

  private static boolean isBarrier(StackFrame frame) {
    return frame.getDeclaringClass() == EffectScope.class && frame.getMethodName().equals("around");
  }

  private static Stream<Method> fenced(StackFrame frame) {
    return MARKED.get(frame.getDeclaringClass()).stream()
        .filter(
            method ->
                method.getName().equals(frame.getMethodName())
                    && Arrays.equals(
                        method.getParameterTypes(), frame.getMethodType().parameterArray()));
  }

  /** Decorators and proxies of one implementation all stand for the same method. */
  private static boolean isSame(Method one, Method other) {
    return one.getName().equals(other.getName())
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes())
        && (one.getDeclaringClass().isAssignableFrom(other.getDeclaringClass())
            || other.getDeclaringClass().isAssignableFrom(one.getDeclaringClass()));
  }

  private static void addMarked(Class<?> owner, List<Method> marked) {
    try {
      for (Method method : owner.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Fenced.class)) {
          marked.add(method);
        }
      }
    } catch (LinkageError e) {
      // a class whose methods name what is not there, such as an optional library's: none of ours
      return;
    }
    for (Class<?> parent : owner.getInterfaces()) {
      addMarked(parent, marked);
    }
  }
}
