package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes a tree in its one canonical form. */
final class CanonicalText {
  private static final String HEX = "0123456789abcdef";

  private CanonicalText() {}

  static String of(JsonNode node) {
    StringBuilder out = new StringBuilder();
    write(node, out);
    return out.toString();
  }

  private static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> writeObject(node, out);
      case ARRAY -> writeArray(node, out);
      case STRING -> writeString(node.textValue(), out);
      case NUMBER -> out.append(CanonicalNumber.of(node.decimalValue()));
      case BOOLEAN -> out.append(node.booleanValue());
      case NULL -> out.append("null");
      case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not read from JSON text");
    }
  }

  /** Members that are null are left out, as absent ones are; the order is that of UTF-16 units. */
  private static void writeObject(JsonNode node, StringBuilder out) {
    Map<String, JsonNode> members = new TreeMap<>();
    node.fields()
        .forEachRemaining(
            member -> {
              if (!member.getValue().isNull()) {
                members.put(member.getKey(), member.getValue());
              }
            });
    out.append('{');
    String separator = "";
    for (Map.Entry<String, JsonNode> member : members.entrySet()) {
      out.append(separator);
      writeString(member.getKey(), out);
      out.append(':');
      write(member.getValue(), out);
      separator = ",";
    }
    out.append('}');
  }

  private static void writeArray(JsonNode node, StringBuilder out) {
    out.append('[');
    String separator = "";
    for (JsonNode element : node) {
      out.append(separator);
      write(element, out);
      separator = ",";
    }
    out.append(']');
  }

  /** The elements' canonical texts in the order of their UTF-16 units: the form of a set. */
  static List<String> sortedElements(JsonNode array) {
    List<String> elements = new ArrayList<>();
    array.forEach(element -> elements.add(of(element)));
    elements.sort(null);
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
          throw new IllegalArgumentException("a text with a lone surrogate");
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
