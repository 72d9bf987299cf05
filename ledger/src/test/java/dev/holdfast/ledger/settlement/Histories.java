package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.settlement.SimulatedOperation.Rules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Histories of an operation, under all policies. */
final class Histories {
  private static final int LONG = 40;
  private static final int SEEDS = 4_000;
  private static final List<Step> ALPHABET = Step.alphabet();

  private Histories() {}

  /** All histories of at most this many steps. */
  static void everyShort(int steps, Consumer<Change> look) {
    rules()
        .flatMap(Histories::starts)
        .forEach(start -> walk(start.rules().toString(), new ArrayDeque<>(), start, steps, look));
  }

  /** Long random ones; the seed is their origin. */
  static void manyLong(Consumer<Change> look) {
    List<Rules> rules = rules().toList();
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimulatedOperation operation =
          SimulatedOperation.claimed(rules.get(random.nextInt(rules.size())));
      Deque<Step> path = new ArrayDeque<>();
      for (int length = 0; length < LONG; length++) {
        Step step = ALPHABET.get(random.nextInt(ALPHABET.size()));
        if (operation.allows(step)) {
          path.addLast(step);
          SimulatedOperation after = operation.after(step);
          look.accept(new Change("seed " + seed, path, operation, step, after));
          operation = after;
        }
      }
    }
  }

  /** One attempt at work, and one that was preempted by another. */
  static Stream<SimulatedOperation> starts(Rules rules) {
    SimulatedOperation first = SimulatedOperation.claimed(rules);
    return Stream.of(first, first.after(Step.Event.RUN_OUT).after(Step.Event.CLAIM));
  }

  static Stream<Rules> rules() {
    return Stream.of(PayloadPolicy.values())
        .flatMap(
            payload ->
                Stream.of(TerminalPolicy.values())
                    .map(terminal -> new SettlementPolicy(payload, terminal)))
        .flatMap(policy -> Stream.of(new Rules(policy, false), new Rules(policy, true)));
  }

  private static void walk(
      String origin,
      Deque<Step> path,
      SimulatedOperation before,
      int steps,
      Consumer<Change> look) {
    if (steps == 0) {
      return;
    }
    for (Step step : ALPHABET) {
      if (before.allows(step)) {
        path.addLast(step);
        SimulatedOperation after = before.after(step);
        look.accept(new Change(origin, path, before, step, after));
        walk(origin, path, after, steps - 1, look);
        path.removeLast();
      }
    }
  }
}
