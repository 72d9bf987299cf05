package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.Combination.Kind;
import dev.holdfast.ledger.settlement.Combination.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders {@code docs/settlement.md} from what the code answers to every input. */
final class SettlementPage {
  private static final Condensed<Combination> VERDICTS =
      new Condensed<>(
          List.of(
              new Condensed.Column<>("effect", Combination::effectWord),
              new Condensed.Column<>("open attempts", Combination::openWord),
              new Condensed.Column<>("payload policy", Combination::payloadWord),
              new Condensed.Column<>("terminal policy", Combination::terminalWord)),
          SettlementPage::outcome);

  private static final Condensed<StoredCase> PICK_UPS =
      new Condensed<>(
          List.of(
              new Condensed.Column<>("payload policy", c -> words(c.payload())),
              new Condensed.Column<>("terminal policy", c -> words(c.terminal()))),
          StoredCase::outcome);

  private SettlementPage() {}

  private static final String HEAD =
      """
      # Settlement

      <!-- Rendered from the code; SettlementPageTest says how to render it again. -->

      How an observation changes the authoritative state of an operation. The rules are the javadoc of `Settlement`; this
      page is what the code answers, condensed: a condition is named only where it makes a difference. All rows, one by
      one: `mvn -q -Psettlement-table package` writes `ledger/target/settlement-table.tsv`.

      ## States
      """;

  private static final String MATCHES =
      """
      ## The tuple matches

      Disposition, and the next state where it is another one. *thin*: the lease is live, but less than the margin is left.
      *over*: ended by the clock, or the shared resource has another holder.
      """;

  private static final String STORED =
      """
      ## Successes are stored already

      What a claim, or a live holder with an answer of its own, makes of them. *Denied*: reported as a definite failure too,
      before or after.
      """;

  static String render() {
    return Stream.of(
            HEAD,
            "```mermaid\nstateDiagram-v2\n" + diagram() + "\n```\n",
            MATCHES,
            verdicts() + "\n",
            "## The tuple differs in any part\n",
            mismatches() + "\n",
            STORED,
            pickUps() + "\n")
        .collect(Collectors.joining("\n"));
  }

  private static String diagram() {
    Map<String, List<String>> edges = new LinkedHashMap<>();
    edges.put("[*] --> in_progress : claim (%s)", List.of("first"));
    edges.put("unknown --> in_progress : claim (%s)", List.of("again"));
    matching()
        .filter(input -> input.verdict().nextState() != input.standing().state())
        .forEach(input -> merge(edges, edge(input), Combination.word(input.kind())));
    for (String from : List.of("unknown", "in_progress")) {
      StoredCase.all()
          .filter(pickUp -> pickUp.own() == StoredCase.Own.NOTHING)
          .forEach(pickUp -> merge(edges, edge(from, pickUp), pickUp.stored().words));
    }
    return edges.entrySet().stream()
        .map(edge -> "    " + edge.getKey().formatted(String.join(", ", edge.getValue())))
        .collect(Collectors.joining("\n"));
  }

  private static String edge(Combination input) {
    Verdict verdict = input.verdict();
    return "%s --> %s : %s (%%s)"
        .formatted(
            input.standing().state().word(), verdict.nextState().word(), verdict.disposition());
  }

  private static String edge(String from, StoredCase pickUp) {
    String next = pickUp.outcome().substring(pickUp.outcome().lastIndexOf(' ') + 1);
    return "%s --> %s : picked up (%%s)".formatted(from, next);
  }

  private static void merge(Map<String, List<String>> edges, String edge, String cause) {
    List<String> causes = edges.computeIfAbsent(edge, unseen -> new ArrayList<>());
    if (!causes.contains(cause)) {
      causes.add(cause);
    }
  }

  private static String verdicts() {
    Map<List<String>, List<String>> observers = new LinkedHashMap<>();
    SettlementTable.standings()
        .forEach(
            standing ->
                observers
                    .computeIfAbsent(cells(standing), unseen -> new ArrayList<>())
                    .add(Combination.word(standing.observer())));
    Stream<List<String>> rows =
        observers.entrySet().stream().map(row -> withObservers(row.getKey(), row.getValue()));
    List<String> heads = new ArrayList<>(List.of("state", "lease", "observer"));
    Stream.of(Kind.values()).map(Combination::word).forEach(heads::add);
    return table(heads, rows);
  }

  private static List<String> cells(Standing standing) {
    List<String> cells = new ArrayList<>();
    cells.add(standing.state().word());
    cells.add(Combination.word(standing.lease()));
    for (Kind kind : Kind.values()) {
      List<Combination> choices = SettlementTable.choices(standing, kind, Set.of()).toList();
      cells.add(String.join("<br>", VERDICTS.describe(choices)));
    }
    return cells;
  }

  private static List<String> withObservers(List<String> cells, List<String> observers) {
    List<String> row = new ArrayList<>(cells);
    row.add(2, observers.size() == 3 ? "any" : String.join(", ", observers));
    return row;
  }

  private static String mismatches() {
    List<Combination> all =
        SettlementTable.combinations().filter(input -> !input.tupleMatches()).toList();
    String verdicts =
        all.stream().map(SettlementPage::outcome).distinct().collect(Collectors.joining(", "));
    return "Always *%s*, the state as it was: %,d of %,d rows."
        .formatted(verdicts, all.size(), SettlementTable.combinations().count());
  }

  private static String pickUps() {
    Map<List<String>, List<StoredCase>> cases =
        StoredCase.all()
            .collect(
                Collectors.groupingBy(
                    c -> List.of(c.stored().words, c.own().words),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return table(
        List.of("stored", "own answer", "result"),
        cases.entrySet().stream()
            .map(
                row -> {
                  List<String> cells = new ArrayList<>(row.getKey());
                  cells.add(String.join("<br>", PICK_UPS.describe(row.getValue())));
                  return cells;
                }));
  }

  private static Stream<Combination> matching() {
    return SettlementTable.combinations().filter(Combination::tupleMatches);
  }

  private static String outcome(Combination input) {
    Verdict verdict = input.verdict();
    return verdict.nextState() == input.standing().state()
        ? verdict.disposition()
        : verdict.disposition() + " → " + verdict.nextState().word();
  }

  private static String words(Enum<?> policy) {
    return policy.name().equals("CONFLICT") ? "conflict" : "first_commit";
  }

  private static String table(List<String> heads, Stream<List<String>> rows) {
    return Stream.concat(Stream.of(heads, heads.stream().map(head -> "---").toList()), rows)
        .map(cells -> "| " + String.join(" | ", cells) + " |")
        .collect(Collectors.joining("\n"));
  }
}
