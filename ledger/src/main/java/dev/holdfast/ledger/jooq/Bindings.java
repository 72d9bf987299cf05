package dev.holdfast.ledger.jooq;

import java.util.HashMap;
import java.util.Map;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Values for the named parameters of one execution. */
final class Bindings {
  private final Map<String, @Nullable Object> values = new HashMap<>();

  /** For the parameter of this column or span. */
  Bindings set(Field<?> parameter, @Nullable Object value) {
    return set(parameter.getName(), value);
  }

  Bindings set(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  @Nullable Object get(String name) {
    if (!values.containsKey(name)) {
      throw new IllegalStateException("no value for the parameter " + name);
    }
    return values.get(name);
  }
}
