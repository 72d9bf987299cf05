package dev.holdfast.ledger.jooq;

import java.util.HashMap;
import java.util.Map;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Values for the named parameters of one execution. */
final class Bindings {
  private static final Object ABSENT = new Object();

  // room for a claim's without growing
  private final Map<String, @Nullable Object> values = HashMap.newHashMap(32);

  /** For the parameter of this column or span. */
  Bindings set(Field<?> parameter, @Nullable Object value) {
    return set(parameter.getName(), value);
  }

  Bindings set(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  @Nullable Object get(String name) {
    Object value = values.getOrDefault(name, ABSENT);
    if (value == ABSENT) {
      throw new IllegalStateException("no value for the parameter " + name);
    }
    return value;
  }
}
