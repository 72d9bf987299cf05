package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Turns JSON text into its one canonical form. Reads tokens, not a tree: a tree of Jackson's keeps
 * numbers beyond a double's range as infinite.
 */
final class CanonicalText {
  private static final String HEX = "0123456789abcdef";
  private static final String NULL = "null";

  private CanonicalText() {}

  static String of(JsonFactory factory, String json) throws IOException {
    try (JsonParser in = factory.createParser(json)) {
      in.nextToken();
      return value(in);
    }
  }

  /** The elements' canonical texts in the order of their UTF-16 units: the form of a set. */
  static List<String> sortedElements(JsonFactory factory, String json) throws IOException {
    try (JsonParser in = factory.createParser(json)) {
      List<String> elements =
          in.nextToken() == JsonToken.START_ARRAY
              ? elements(in)
              : new ArrayList<>(List.of(value(in)));
      elements.sort(null);
      return elements;
    }
  }

  private static String value(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> object(in);
      case START_ARRAY -> "[" + String.join(",", elements(in)) + "]";
      case VALUE_STRING -> quoted(in.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> CanonicalNumber.of(new BigDecimal(in.getText()));
      case VALUE_TRUE -> "true";
      case VALUE_FALSE -> "false";
      case VALUE_NULL -> NULL;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new UnfitValueException("not JSON text");
    };
  }

  /** Members that are null are left out, as absent ones are; the order is that of UTF-16 units. */
  private static String object(JsonParser in) throws IOException {
    Map<String, String> members = new TreeMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      if (members.put(name, value(in)) != null) {
        // two keys of a map with one text: which value was meant is lost
        throw new UnfitValueException("two members of one name");
      }
    }
    return members.entrySet().stream()
        .filter(member -> !member.getValue().equals(NULL))
        .map(member -> quoted(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static List<String> elements(JsonParser in) throws IOException {
    List<String> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(in));
    }
    return elements;
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    writeString(text, out);
    return out.toString();
  }

  private static void writeString(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        // UTF-8 has no form for half a pair: two such texts would get one digest
        if (!Character.isHighSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw new UnfitValueException("a text with a lone surrogate");
        }
        out.append(c).append(text.charAt(++i));
      } else {
        writeChar(c, out);
      }
    }
    out.append('"');
  }

  /** Escapes as RFC 8785, 3.2.2.2: the short forms, lower-case hexadecimal, nothing else. */
  private static void writeChar(char c, StringBuilder out) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < ' ') {
          out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
        } else {
          out.append(c);
        }
      }
    }
  }
}
