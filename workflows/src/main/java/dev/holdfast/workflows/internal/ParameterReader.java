package dev.holdfast.workflows.internal;

import dev.holdfast.BindingRef;
import dev.holdfast.BoundTo;
import dev.holdfast.NotInFingerprint;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.OperationScope;
import dev.holdfast.RequiresCompleted;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads the roles of a fenced method's parameters, and refuses what cannot work. */
final class ParameterReader {
  private static final Set<Class<?>> NAMING_TYPES =
      Set.of(
          String.class,
          UUID.class,
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          BigInteger.class,
          LocalDate.class,
          Instant.class);

  private final Method method;
  private final List<ArgumentPart> keyParts = new ArrayList<>();
  private final List<ArgumentPart> scopeParts = new ArrayList<>();
  private final List<Integer> gates = new ArrayList<>();
  private final List<Integer> bindings = new ArrayList<>();
  private final Set<Integer> leftOut = new HashSet<>();

  private ParameterReader(Method method) {
    this.method = method;
  }

  static ParameterRoles read(Method method) {
    ParameterReader reader = new ParameterReader(method);
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      reader.readParameter(i, parameters[i]);
    }
    if (reader.keyParts.isEmpty()) {
      throw refused(method, "no parameter is marked @OperationKey: what names the request?");
    }
    if (reader.scopeParts.size() > 1) {
      throw refused(method, "more than one @OperationScope");
    }
    if (reader.bindings.size() > 1) {
      throw refused(method, "more than one @BoundTo");
    }
    return new ParameterRoles(
        reader.keyParts,
        reader.scopeParts.stream().findFirst(),
        reader.gates,
        reader.bindings.stream().findFirst(),
        reader.leftOut);
  }

  private void readParameter(int index, Parameter parameter) {
    if (parameter.isAnnotationPresent(OperationKey.class)) {
      keyParts.add(part("key", index, parameter.getType()));
    }
    if (parameter.isAnnotationPresent(OperationScope.class)) {
      scopeParts.add(part("scope", index, parameter.getType()));
    }
    if (parameter.isAnnotationPresent(RequiresCompleted.class)) {
      gates.add(gate(index, parameter.getParameterizedType()));
    }
    if (parameter.isAnnotationPresent(BoundTo.class)) {
      bindings.add(binding(index, parameter.getType()));
    } else if (parameter.getType() == BindingRef.class) {
      throw refused(method, "a BindingRef that is not marked @BoundTo binds nothing: mark it");
    }
    if (parameter.isAnnotationPresent(NotInFingerprint.class)) {
      leftOut.add(index);
    }
    if (parameter.getType().isRecord()) {
      refuseMarkedComponents(parameter.getType());
      for (RecordComponent component : parameter.getType().getRecordComponents()) {
        readComponent(index, component);
      }
    }
  }

  /** A component's parameter mark is found on its constructor, where nobody would heed it. */
  private void refuseMarkedComponents(Class<?> type) {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      for (Parameter component : constructor.getParameters()) {
        for (var mark : List.of(BoundTo.class, RequiresCompleted.class)) {
          if (component.isAnnotationPresent(mark)) {
            throw refused(
                method,
                "@"
                    + mark.getSimpleName()
                    + " on a component of "
                    + type.getName()
                    + " does nothing: make it a parameter of the method");
          }
        }
      }
    }
  }

  private void readComponent(int index, RecordComponent component) {
    component(component, OperationKey.class, "key", index).ifPresent(keyParts::add);
    component(component, OperationScope.class, "scope", index).ifPresent(scopeParts::add);
  }

  private Optional<ArgumentPart> component(
      RecordComponent component, Class<? extends Annotation> mark, String what, int index) {
    if (!component.isAnnotationPresent(mark)) {
      return Optional.empty();
    }
    List<Method> path = new ArrayList<>();
    path.add(accessor(component));
    path.addAll(path(what, component.getType()));
    return Optional.of(new ArgumentPart(what, index, path));
  }

  private ArgumentPart part(String what, int index, Class<?> type) {
    return new ArgumentPart(what, index, path(what, type));
  }

  /** Through records of one component, such as {@code record ExportId(String value)}. */
  private List<Method> path(String what, Class<?> type) {
    if (NAMING_TYPES.contains(type) || type.isEnum()) {
      return List.of();
    }
    if (type.isRecord() && type.getRecordComponents().length == 1) {
      RecordComponent only = type.getRecordComponents()[0];
      List<Method> path = new ArrayList<>();
      path.add(accessor(only));
      path.addAll(path(what, only.getType()));
      return path;
    }
    throw refused(
        method,
        "a "
            + type.getName()
            + " cannot be the operation "
            + what
            + "; mark a text, UUID, whole number, enum, LocalDate or Instant inside it");
  }

  private int gate(int index, Type type) {
    boolean several =
        type instanceof ParameterizedType list
            && list.getRawType() == List.class
            && list.getActualTypeArguments()[0] == OperationRef.class;
    if (type != OperationRef.class && !several) {
      throw refused(method, "@RequiresCompleted belongs to an OperationRef or a list of them");
    }
    return index;
  }

  private int binding(int index, Class<?> type) {
    if (type != BindingRef.class) {
      throw refused(method, "@BoundTo belongs to a BindingRef");
    }
    return index;
  }

  private static Method accessor(RecordComponent component) {
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    return accessor;
  }

  static IllegalArgumentException refused(Method method, String why) {
    return new IllegalArgumentException(
        method.getDeclaringClass().getName() + "." + method.getName() + ": " + why);
  }
}
