package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.Combination.Kind;
import dev.holdfast.ledger.settlement.Combination.Standing;
import dev.holdfast.ledger.settlement.Example.Part;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every input of settlement with its verdict; written to a file by {@link #main}. */
final class SettlementTable {
  static final List<String> HEADER =
      List.of(
          "state",
          "lease",
          "margin",
          "observer",
          "observation",
          "scope",
          "operation",
          "fingerprint",
          "generation",
          "epoch",
          "effect",
          "open_attempts",
          "payload_policy",
          "terminal_policy",
          "disposition",
          "next_state");

  private SettlementTable() {}

  /** Writes the table as tab-separated values to the file of this name. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.writeString(file, text(), StandardCharsets.UTF_8);
  }

  private static String text() {
    return Stream.concat(Stream.of(HEADER), combinations().map(SettlementTable::row))
        .map(cells -> String.join("\t", cells) + "\n")
        .collect(Collectors.joining());
  }

  static List<String> row(Combination input) {
    List<String> cells = new ArrayList<>(input.standing().words());
    cells.add(Combination.word(input.kind()));
    cells.addAll(input.tupleWords());
    cells.add(input.effectWord());
    cells.add(input.openWord());
    cells.add(input.payloadWord());
    cells.add(input.terminalWord());
    Verdict verdict = input.verdict();
    cells.add(verdict.disposition());
    cells.add(verdict.nextState().word());
    return List.copyOf(cells);
  }

  static Stream<Combination> combinations() {
    return standings().flatMap(standing -> kinds(standing));
  }

  private static Stream<Combination> kinds(Standing standing) {
    return Stream.of(Kind.values())
        .flatMap(kind -> tuples().flatMap(others -> choices(standing, kind, others)));
  }

  static Stream<Combination> choices(Standing standing, Kind kind, Set<Part> others) {
    List<Combination> all = new ArrayList<>();
    for (boolean same : new boolean[] {true, false}) {
      for (boolean open : new boolean[] {false, true}) {
        for (PayloadPolicy payload : PayloadPolicy.values()) {
          for (TerminalPolicy terminal : TerminalPolicy.values()) {
            all.add(new Combination(standing, kind, others, same, open, payload, terminal));
          }
        }
      }
    }
    return all.stream();
  }

  private static Stream<Set<Part>> tuples() {
    Stream<Set<Part>> tuples = Stream.of(EnumSet.noneOf(Part.class));
    for (Part part : Part.values()) {
      tuples = tuples.flatMap(others -> Stream.of(others, with(others, part)));
    }
    return tuples;
  }

  private static Set<Part> with(Set<Part> others, Part part) {
    EnumSet<Part> more = EnumSet.of(part);
    more.addAll(others);
    return more;
  }

  static Stream<Standing> standings() {
    return Stream.of(OperationState.values())
        .flatMap(state -> leases(state).flatMap(lease -> observers(state, lease)));
  }

  private static Stream<LeaseStanding> leases(OperationState state) {
    return switch (state) {
      case IN_PROGRESS -> Stream.of(LeaseStanding.LIVE, LeaseStanding.THIN, LeaseStanding.OVER);
      case UNKNOWN, COMPLETED, FAILED, CONFLICT -> Stream.of(LeaseStanding.NONE);
    };
  }

  private static Stream<Standing> observers(OperationState state, LeaseStanding lease) {
    return switch (lease) {
      case THIN -> Stream.of(new Standing(state, lease, ObserverStanding.HOLDER));
      case LIVE, OVER, NONE ->
          Stream.of(ObserverStanding.values())
              .map(observer -> new Standing(state, lease, observer));
    };
  }
}
