package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.interleaving.Upstream.Contract;
import dev.holdfast.ledger.interleaving.Worker.Habit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two workers and an order of their steps.
 *
 * @param order bit i tells who takes step i: eight of the sixteen are set
 */
record Interleaving(Contract contract, Habit first, Habit second, int order) {
  static final int STEPS = 8;

  /** Every order of two times eight steps: 12,870. */
  static Stream<Integer> orders() {
    return IntStream.range(0, 1 << (2 * STEPS))
        .filter(bits -> Integer.bitCount(bits) == STEPS)
        .boxed();
  }

  /** Any of them, of any two workers. */
  static Interleaving random(Random random) {
    List<Integer> steps = new ArrayList<>(IntStream.range(0, 2 * STEPS).boxed().toList());
    Collections.shuffle(steps, random);
    int order = steps.subList(0, STEPS).stream().mapToInt(step -> 1 << step).sum();
    return new Interleaving(
        any(random, Contract.values()),
        any(random, Habit.values()),
        any(random, Habit.values()),
        order);
  }

  private static <T> T any(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  /** Who takes this step. */
  int worker(int step) {
    return order >> step & 1;
  }
}
