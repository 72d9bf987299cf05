package dev.holdfast.activities.internal;

import dev.holdfast.activities.Reconciles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares what a reconciler gives with what an activity method returns. */
final class ResultTypes {
  private ResultTypes() {}

  /**
   * Whether the reconciler's declared result is the method's, as far as it shows: a lambda declares
   * none, and its values are checked one by one.
   */
  static boolean fit(Reconciles<?> reconciler, Method method) {
    return declared(reconciler.getClass())
        .flatMap(ResultTypes::raw)
        .map(result -> boxed(method.getReturnType()).isAssignableFrom(result))
        .orElse(true);
  }

  /** Whether this may be returned by the method. */
  static boolean fits(@Nullable Object value, Method method) {
    Class<?> declared = method.getReturnType();
    return value == null
        ? declared == void.class || !declared.isPrimitive()
        : boxed(declared).isInstance(value);
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  private static Optional<Class<?>> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> Optional.of(plain);
      case ParameterizedType generic when generic.getRawType() instanceof Class<?> plain ->
          Optional.of(plain);
      default -> Optional.empty();
    };
  }

  /** The argument of {@link Reconciles} that a class or one of its parents states. */
  private static Optional<Type> declared(Class<?> type) {
    return parents(type)
        .filter(parent -> parent instanceof ParameterizedType)
        .map(ParameterizedType.class::cast)
        .filter(parent -> parent.getRawType() == Reconciles.class)
        .map(parent -> parent.getActualTypeArguments()[0])
        .findFirst()
        .or(
            () ->
                parents(type)
                    .flatMap(parent -> raw(parent).stream())
                    .flatMap(parent -> declared(parent).stream())
                    .findFirst());
  }

  private static Stream<Type> parents(Class<?> type) {
    return Stream.concat(
        Arrays.stream(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()));
  }
}
