package dev.holdfast.samples.upstream;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A JSON object of strings, numbers and booleans, in the order of its members. The upstreams read
 * no nested values; they write one level of them.
 */
record FlatJson(Map<String, Object> members) {

  static FlatJson parse(String text) {
    return new FlatJson(new FlatJsonReader(text).object());
  }

  /** An object of the given names and values, which alternate. */
  static FlatJson of(Object... namesAndValues) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return new FlatJson(members);
  }

  String string(String name) {
    return required(name, String.class);
  }

  String string(String name, String otherwise) {
    return members.containsKey(name) ? string(name) : otherwise;
  }

  int integer(String name) {
    try {
      return required(name, BigDecimal.class).intValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("\"" + name + "\" must be an integer", e);
    }
  }

  int integer(String name, int otherwise) {
    return members.containsKey(name) ? integer(name) : otherwise;
  }

  boolean flag(String name) {
    return required(name, Boolean.class);
  }

  private <T> T required(String name, Class<T> type) {
    Object value = members.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is missing or no " + type.getSimpleName());
    }
    return type.cast(value);
  }

  /** The object as JSON text. */
  String text() {
    return write(members);
  }

  private static String write(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(member -> quoted((String) member.getKey()) + ":" + write(member.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case String string -> quoted(string);
      default -> value.toString();
    };
  }

  private static String quoted(String string) {
    StringBuilder quoted = new StringBuilder("\"");
    string
        .chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ') {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
