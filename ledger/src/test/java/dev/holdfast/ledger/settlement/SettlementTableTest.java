package dev.holdfast.ledger.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exported table against the written rules, twice: as data here, and as a script's digest. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettlementTableTest {
  /** Printed by {@code src/test/scripts/settlement_table.py}, which knows the rules alone. */
  private static final String DIGEST_BY_SCRIPT =
      "246f1c61aae34bed0f883a5776dd45e7fbbb56c13f47f4e429fe282da49bb7c1";

  private static final int ROWS = 58_368;

  /**
   * The rules as written, the first that fits decides; a star fits everything, an equals sign is
   * the state as it was. State, lease, margin, observer, observation, tuple, effect, open attempts,
   * payload policy, terminal policy: disposition, next state.
   */
  private static final List<String[]> RULES =
      """
      *                   *    *    *                *                       other * * * *            : quarantined =
      conflict            *    *    *                *                       match * * * *            : recorded =
      in_progress         over *    *                timed_out,lease_expired match * * * *            : demoted unknown
      *                   *    *    *                timed_out,lease_expired match * * * *            : recorded =
      *                   *    *    *                in_progress             match * * * *            : recorded =
      in_progress         live thin holder           succeeded,failed        match * * * *            : renew_first =
      in_progress         live ok   holder           succeeded               match * * * *            : receipt completed
      in_progress         live ok   holder           failed                  match * none * *         : failure failed
      in_progress         live ok   holder           failed                  match * some * *         : closed unknown
      in_progress         live *    holder           refused                 match * * * *            : closed unknown
      unknown,in_progress *    *    *                succeeded               match * * * *            : pending =
      unknown,in_progress *    *    holder,preempted failed,refused          match * * * *            : closed =
      unknown,in_progress *    *    none             failed,refused          match * * * *            : recorded =
      completed           *    *    *                succeeded               match same * * *         : recorded =
      completed           *    *    *                succeeded               match other * conflict * : conflicted conflict
      completed           *    *    *                succeeded               match other * * *        : recorded =
      completed           *    *    *                failed                  match same * * conflict  : conflicted conflict
      completed           *    *    *                failed                  match * * * *            : recorded =
      failed              *    *    *                succeeded               match * * * conflict     : conflicted conflict
      failed              *    *    *                succeeded,failed        match * * * *            : recorded =
      completed,failed    *    *    *                refused                 match * * * *            : recorded =
      """
          .lines()
          .map(line -> line.strip().split("[ :]+"))
          .toList();

  private static List<List<String>> rows = List.of();

  @BeforeAll
  static void export(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("settlement-table.tsv");
    SettlementTable.main(new String[] {file.toString()});
    String text = Files.readString(file);
    assertThat(text).endsWith("\n").doesNotContain("\r").doesNotContain("\n\n");
    rows = text.lines().map(line -> Arrays.asList(line.split("\t", -1))).toList();
  }

  @Test
  void every_combination_stands_there_once_under_the_header() {
    assertThat(rows.getFirst()).isEqualTo(SettlementTable.HEADER);
    assertThat(rows).hasSize(1 + ROWS);
    assertThat(rows.stream().map(List::size).distinct()).containsExactly(16);
    assertThat(rows.stream().map(row -> row.subList(0, 14)).distinct().count()).isEqualTo(1 + ROWS);
  }

  @Test
  void every_row_says_what_the_written_rules_say() {
    assertThat(body().stream().filter(row -> !row.subList(14, 16).equals(byRules(row)))).isEmpty();
  }

  @Test
  void every_rule_decides_some_row() {
    assertThat(body().stream().map(SettlementTableTest::ruleFor).distinct())
        .containsExactlyInAnyOrderElementsOf(RULES);
  }

  @Test
  void the_rows_are_those_of_the_script() {
    String sorted =
        body().stream()
            .map(row -> String.join("\t", row) + "\n")
            .sorted()
            .collect(Collectors.joining());

    assertThat(Sha256.ofUtf8(sorted).hex()).isEqualTo(DIGEST_BY_SCRIPT);
  }

  private static List<List<String>> body() {
    return rows.subList(1, rows.size());
  }

  private static List<String> byRules(List<String> row) {
    String[] rule = ruleFor(row);
    String next = rule[11].equals("=") ? row.getFirst() : rule[11];
    return List.of(rule[10], next);
  }

  private static String[] ruleFor(List<String> row) {
    List<String> input =
        List.of(
            row.get(0),
            row.get(1),
            row.get(2),
            row.get(3),
            row.get(4),
            row.subList(5, 10).contains("other") ? "other" : "match",
            row.get(10),
            row.get(11),
            row.get(12),
            row.get(13));
    return RULES.stream().filter(rule -> fits(rule, input)).findFirst().orElseThrow();
  }

  private static boolean fits(String[] rule, List<String> input) {
    for (int column = 0; column < input.size(); column++) {
      List<String> allowed = Arrays.asList(rule[column].split(","));
      if (!allowed.contains("*") && !allowed.contains(input.get(column))) {
        return false;
      }
    }
    return true;
  }
}
