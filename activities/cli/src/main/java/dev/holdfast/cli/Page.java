package dev.holdfast.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a command answers, in order: words, and tables of rows that have the same columns. Printed
 * for a person or as JSON, from the same values.
 */
final class Page {
  enum Format {
    TABLE,
    JSON
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GAP = "  ";
  private static final String ABSENT = "-";

  private final Map<String, @Nullable Object> content = new LinkedHashMap<>();

  /** A word or a number; left out where there is none. */
  Page with(String name, @Nullable Object value) {
    if (value != null) {
      content.put(name, plain(value));
    }
    return this;
  }

  /** Something that nobody knows, and that is said all the same. */
  Page withUnknown(String name) {
    content.put(name, null);
    return this;
  }

  /** A table; in every row the same columns. */
  Page with(String name, List<Row> rows) {
    content.put(name, rows.stream().map(Row::values).toList());
    return this;
  }

  /** One row of a table. */
  static final class Row {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    Row with(String column, @Nullable Object value) {
      values.put(column, value == null ? null : plain(value));
      return this;
    }

    Map<String, @Nullable Object> values() {
      return values;
    }
  }

  private static Object plain(Object value) {
    return value instanceof Number || value instanceof Boolean ? value : value.toString();
  }

  void print(Format format, PrintWriter out) {
    print(format, out, Page::new);
  }

  /** Prints this, and then what is known only once this is printed: one answer, whose end waits. */
  void print(Format format, PrintWriter out, Supplier<Page> rest) {
    switch (format) {
      case TABLE -> {
        printTable(out);
        out.flush();
        rest.get().printTable(out);
      }
      case JSON -> printJson(out, rest);
    }
    out.flush();
  }

  private void printJson(PrintWriter out, Supplier<Page> rest) {
    try {
      JsonGenerator json = JSON.createGenerator(out).useDefaultPrettyPrinter();
      json.writeStartObject();
      printJson(json);
      json.flush();
      rest.get().printJson(json);
      json.writeEndObject();
      json.flush();
      out.println();
    } catch (IOException e) {
      throw new IllegalStateException("words and numbers that are no JSON", e);
    }
  }

  private void printJson(JsonGenerator json) throws IOException {
    for (Map.Entry<String, @Nullable Object> entry : content.entrySet()) {
      json.writeObjectField(entry.getKey(), entry.getValue());
    }
  }

  private void printTable(PrintWriter out) {
    int width =
        content.entrySet().stream()
            .filter(entry -> !(entry.getValue() instanceof List))
            .mapToInt(entry -> entry.getKey().length())
            .max()
            .orElse(0);
    for (Map.Entry<String, @Nullable Object> entry : content.entrySet()) {
      if (entry.getValue() instanceof List<?> rows) {
        printRows(entry.getKey(), rows, out);
      } else {
        out.println(padded(entry.getKey(), width) + GAP + cell(entry.getValue()));
      }
    }
  }

  private static void printRows(String name, List<?> rows, PrintWriter out) {
    if (rows.isEmpty()) {
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    for (Object row : rows) {
      Map<?, ?> values = (Map<?, ?>) row;
      if (lines.isEmpty()) {
        lines.add(values.keySet().stream().map(String::valueOf).toList());
      }
      lines.add(values.values().stream().map(Page::cell).toList());
    }
    out.println(name + ":");
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int column = 0; column < line.size(); column++) {
        text.append(GAP).append(padded(line.get(column), width(lines, column)));
      }
      out.println(text.toString().stripTrailing());
    }
  }

  private static String cell(@Nullable Object value) {
    return value == null ? ABSENT : value.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
