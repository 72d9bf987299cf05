package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.interleaving.Upstream.Contract;
import dev.holdfast.ledger.interleaving.Worker.Habit;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * All orders of two workers' steps on a real PostgreSQL, under every contract: {@code mvn -q
 * -Pinterleavings package}. One of them stands still until its lease is over when its request has
 * arrived, the other one is steady. Ends with an error on a violation, or when it takes longer than
 * it may.
 */
public final class EveryInterleaving {
  private static final Duration BOUND = Duration.ofMinutes(20);

  private EveryInterleaving() {}

  public static void main(String[] arguments) throws Exception {
    long start = System.nanoTime();
    List<Interleaving> all =
        Stream.of(Contract.values())
            .flatMap(
                contract ->
                    Interleaving.orders()
                        .map(
                            order ->
                                new Interleaving(
                                    contract, Habit.STALLS_AFTER_SENDING, Habit.STEADY, order)))
            .toList();
    List<String> violations;
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      violations = Stage.on(ledger).play(all);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    violations.stream().limit(10).forEach(System.out::println);
    System.out.printf(
        "INTERLEAVINGS run=%d violations=%d seconds=%d%n",
        all.size(), violations.size(), took.toSeconds());
    if (!violations.isEmpty() || took.compareTo(BOUND) > 0) {
      System.exit(1);
    }
  }
}
