package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One argument, or one component inside it, that names something.
 *
 * @param what what it names, for messages
 * @param path accessors from the argument to the part; empty for the argument itself
 */
record ArgumentPart(String what, int parameter, List<Method> path) {
  ArgumentPart {
    path = List.copyOf(path);
  }

  /** The part as text: refused when missing, never trimmed or folded. */
  String text(@Nullable Object[] arguments) {
    Object part = arguments[parameter];
    for (Method accessor : path) {
      part = part == null ? null : read(accessor, part);
    }
    if (part == null) {
      throw HoldfastFailures.invalidOperation(what, "the operation " + what + " is null");
    }
    return part instanceof Enum<?> constant ? constant.name() : part.toString();
  }

  private static @Nullable Object read(Method accessor, Object record) {
    try {
      return accessor.invoke(record);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + accessor, e);
    } catch (InvocationTargetException e) {
      // its message may hold the argument
      throw HoldfastFailures.invalidOperation(
          "argument", "the accessor " + accessor.getName() + " of an argument threw");
    }
  }
}
