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
      case 1 ->
          seen.hasContradiction()
              ? new SeenResult(Word.CONFLICT, 0)
              : new SeenResult(Word.COMPLETED, effects.iterator().next());
      default -> new SeenResult(Word.CONFLICT, 0);
    };
  }

  /** Under any policies: by the order in which the reports were committed. */
  public static SeenResult ofOrder(SeenSet seen, List<SeenReport> order, SettlementPolicy policy) {
    int first = 0;
    boolean live = seen.live();
    Set<Integer> closed = new HashSet<>();
    for (int i = 0; i < order.size(); i++) {
      SeenReport report = order.get(i);
      if (report.isOwn() && report.kind() != Kind.UNCLEAR) {
        closed.add(report.attempt());
      }
      if (report.seesEffect()) {
        first = first == 0 ? report.effect() : first;
      } else if (report.isOwn() && live && report.attempt() == seen.attempts()) {
        if (report.kind() == Kind.FAILED && first == 0 && closed.size() == seen.attempts()) {
          return afterFailure(order.subList(i + 1, order.size()), policy);
        }
        live = false;
      }
    }
    return first == 0 ? withoutEffect(seen) : withEffect(first, order, policy);
  }

  private static SeenResult afterFailure(List<SeenReport> later, SettlementPolicy policy) {
    boolean denied =
        policy.terminal() == TerminalPolicy.CONFLICT
            && later.stream().anyMatch(SeenReport::seesEffect);
    return new SeenResult(denied ? Word.CONFLICT : Word.FAILED, 0);
  }

  private static SeenResult withEffect(
      int first, List<SeenReport> reports, SettlementPolicy policy) {
    Set<Integer> witnesses =
        reports.stream()
            .filter(report -> report.seesEffect() && report.effect() == first)
            .map(SeenReport::attempt)
            .collect(toSet());
    boolean denied =
        policy.terminal() == TerminalPolicy.CONFLICT
            && reports.stream()
                .anyMatch(
                    report -> report.kind() == Kind.FAILED && witnesses.contains(report.attempt()));
    boolean differs =
        policy.payload() == PayloadPolicy.CONFLICT
            && reports.stream().anyMatch(report -> report.seesEffect() && report.effect() != first);
    return denied || differs
        ? new SeenResult(Word.CONFLICT, 0)
        : new SeenResult(Word.COMPLETED, first);
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
