package dev.holdfast.ledger.testbed;

import static java.util.stream.Collectors.toSet;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.testbed.SeenReport.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What must stand once everybody stopped and one fresh attempt came, by the requirement: said of
 * sets and of orders of reports, without the rules under test.
 */
public record SeenResult(Word word, int effect) {
  /** In one word. */
  public enum Word {
    COMPLETED,
    CONFLICT,
    FAILED,
    /** Nothing is settled: another attempt may go on. */
    RETRYABLE
  }

  /** Under the conflict policies: from what was seen, whatever the order. */
  public static SeenResult ofSet(SeenSet seen) {
    Set<Integer> effects =
        seen.reports().stream()
            .filter(SeenReport::seesEffect)
            .map(SeenReport::effect)
            .collect(toSet());
    return switch (effects.size()) {
      case 0 -> withoutEffect(seen);
      case 1 -> new SeenResult(Word.COMPLETED, effects.iterator().next());
      default -> new SeenResult(Word.CONFLICT, 0);
    };
  }

  /** Under any policies: by the order in which the reports were committed. */
  public static SeenResult ofOrder(SeenSet seen, List<SeenReport> order, SettlementPolicy policy) {
    int first = 0;
    boolean failed = false;
    boolean live = seen.live();
    Set<Integer> closed = new HashSet<>();
    for (SeenReport report : order) {
      boolean holds = live && report.attempt() == seen.attempts();
      if (report.isOwn() && report.kind() != Kind.UNCLEAR) {
        closed.add(report.attempt());
      }
      if (report.seesEffect()) {
        boolean denied = failed && policy.terminal() == TerminalPolicy.CONFLICT;
        boolean differs =
            first != 0 && first != report.effect() && policy.payload() == PayloadPolicy.CONFLICT;
        if (denied || differs) {
          return new SeenResult(Word.CONFLICT, 0);
        }
        first = first == 0 && !failed ? report.effect() : first;
      } else if (report.isOwn() && holds) {
        failed |= report.kind() == Kind.FAILED && first == 0 && closed.size() == seen.attempts();
        live = false;
      }
    }
    return first != 0
        ? new SeenResult(Word.COMPLETED, first)
        : failed ? new SeenResult(Word.FAILED, 0) : withoutEffect(seen);
  }

  private static SeenResult withoutEffect(SeenSet seen) {
    Set<Integer> closed =
        seen.reports().stream()
            .filter(report -> report.kind() == Kind.FAILED || report.kind() == Kind.REFUSED)
            .map(SeenReport::attempt)
            .collect(toSet());
    boolean nothingOpen = IntStream.rangeClosed(1, seen.attempts()).allMatch(closed::contains);
    return new SeenResult(seen.isRejected() && nothingOpen ? Word.FAILED : Word.RETRYABLE, 0);
  }
}
