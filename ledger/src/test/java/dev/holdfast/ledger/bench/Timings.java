package dev.holdfast.ledger.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long each operation of one kind took its caller. For one thread. */
final class Timings {
  private static final double NANOS_IN_MILLI = 1e6;
  private static final double NANOS_IN_SECOND = 1e9;

  private final List<Long> nanos = new ArrayList<>();

  /** One operation. */
  @FunctionalInterface
  interface Operation {
    void run() throws Exception;
  }

  void time(Operation operation) throws Exception {
    long start = System.nanoTime();
    operation.run();
    nanos.add(System.nanoTime() - start);
  }

  double percentileMillis(double percent) {
    List<Long> sorted = nanos.stream().sorted().toList();
    int index = (int) Math.ceil(percent / 100 * sorted.size()) - 1;
    return sorted.get(Math.max(0, index)) / NANOS_IN_MILLI;
  }

  double perSecond() {
    return nanos.size() * NANOS_IN_SECOND / nanos.stream().mapToLong(Long::longValue).sum();
  }

  String line(String what) {
    return String.format(
        Locale.ROOT,
        "BENCH what=%s callers=1 ops_per_s=%.1f p50_ms=%.3f p99_ms=%.3f",
        what,
        perSecond(),
        percentileMillis(50),
        percentileMillis(99));
  }
}
