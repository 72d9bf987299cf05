package dev.holdfast.ledger.settlement;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Says in few words how outcomes depend on inputs: a column is named only where it makes a
 * difference.
 */
record Condensed<R>(List<Column<R>> columns, Function<R, String> outcome) {

  /** One thing that an outcome may depend on. */
  record Column<R>(String name, Function<R, String> value) {}

  /** The outcomes of all these rows, one line for each case. */
  List<String> describe(List<R> rows) {
    return lines("", rows, columns).toList();
  }

  private Stream<String> lines(String conditions, List<R> rows, List<Column<R>> left) {
    List<String> outcomes = rows.stream().map(outcome).distinct().toList();
    if (outcomes.size() == 1) {
      return Stream.of(
          conditions.isEmpty() ? outcomes.getFirst() : conditions + ": " + outcomes.getFirst());
    }
    Column<R> column =
        left.stream().filter(candidate -> matters(candidate, rows, left)).findFirst().orElseThrow();
    List<Column<R>> others = left.stream().filter(other -> !other.equals(column)).toList();
    String separator = conditions.isEmpty() ? "" : conditions + ", ";
    return values(column, rows)
        .flatMap(
            value ->
                lines(
                    separator + column.name() + " " + value,
                    rows.stream().filter(row -> column.value().apply(row).equals(value)).toList(),
                    others));
  }

  /** Whether two rows differ in this column alone and in the outcome. */
  private boolean matters(Column<R> column, List<R> rows, List<Column<R>> left) {
    List<Column<R>> others = left.stream().filter(other -> !other.equals(column)).toList();
    return rows.stream()
            .map(row -> List.of(values(others, row), outcome.apply(row)))
            .distinct()
            .count()
        > rows.stream().map(row -> values(others, row)).distinct().count();
  }

  private Stream<String> values(Column<R> column, List<R> rows) {
    return rows.stream().map(column.value()).distinct();
  }

  private List<String> values(List<Column<R>> some, R row) {
    return some.stream().map(column -> column.value().apply(row)).toList();
  }
}
