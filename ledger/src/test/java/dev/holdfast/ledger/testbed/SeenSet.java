package dev.holdfast.ledger.testbed;

import dev.holdfast.ledger.testbed.SeenReport.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Attempts of one operation and what was seen of them: what the barrier can produce, with an
 * upstream that may contradict itself about one attempt too. Who is preempted stays it, and whether
 * the last one's lease lives is settled before the first report, so that only the order of the
 * reports is open.
 *
 * @param attempts how many claims there were, one after the other
 * @param live whether the last one's lease lives
 */
public record SeenSet(int attempts, boolean live, List<SeenReport> reports) {
  /** As many as are still tried in every order. */
  public static final int MOST = 6;

  /** What became of an attempt upstream. */
  private enum Fate {
    EFFECT,
    FAILED,
    REFUSED,
    NOTHING_KNOWN,
    /** Told as a success once, and as a definite failure another time. */
    BOTH
  }

  private static final List<Fate> FATES =
      List.of(Fate.EFFECT, Fate.EFFECT, Fate.FAILED, Fate.REFUSED, Fate.NOTHING_KNOWN, Fate.BOTH);

  /** One of them. */
  public static SeenSet random(Random random) {
    return random(random, List.of(Kind.values()));
  }

  /** One of them, made of these kinds of report alone. */
  public static SeenSet random(Random random, List<Kind> kinds) {
    int attempts = Math.max(1, random.nextInt(5));
    boolean oneEffect = random.nextBoolean();
    List<SeenReport> pool = new ArrayList<>();
    for (int attempt = 1; attempt <= attempts; attempt++) {
      Fate fate = FATES.get(random.nextInt(FATES.size()));
      pool.addAll(reports(random, fate, attempt, oneEffect ? 1 : attempt));
    }
    pool.removeIf(report -> !kinds.contains(report.kind()));
    Collections.shuffle(pool, random);
    int size = Math.min(pool.size(), MOST - random.nextInt(3));
    return new SeenSet(attempts, random.nextBoolean(), List.copyOf(pool.subList(0, size)));
  }

  private static List<SeenReport> reports(Random random, Fate fate, int attempt, int effect) {
    List<SeenReport> seen = new ArrayList<>();
    SeenReport own = own(fate, attempt, effect);
    if (fate == Fate.BOTH) {
      seen.add(own);
      seen.add(own(Fate.FAILED, attempt, effect));
    } else if (fate == Fate.NOTHING_KNOWN || random.nextInt(4) == 0) {
      seen.add(new SeenReport(Kind.UNCLEAR, attempt, 0));
    } else {
      seen.add(own);
      // its answer was lost, and it was sent again
      seen.add(own);
    }
    if (fate == Fate.EFFECT || fate == Fate.BOTH) {
      seen.add(new SeenReport(Kind.WITNESSED, attempt, effect));
    }
    Kind[] noise = {Kind.TIMED_OUT, Kind.LEASE_EXPIRED, Kind.AT_WORK};
    seen.add(new SeenReport(noise[random.nextInt(noise.length)], attempt, 0));
    if (random.nextBoolean()) {
      seen.add(new SeenReport(Kind.STALE, attempt, effect + 10));
    }
    return seen;
  }

  private static SeenReport own(Fate fate, int attempt, int effect) {
    return switch (fate) {
      case EFFECT, BOTH -> new SeenReport(Kind.SUCCEEDED, attempt, effect);
      case FAILED -> new SeenReport(Kind.FAILED, attempt, 0);
      case REFUSED -> new SeenReport(Kind.REFUSED, attempt, 0);
      case NOTHING_KNOWN -> new SeenReport(Kind.UNCLEAR, attempt, 0);
    };
  }

  /** Every order of the reports; a list is valid while it is looked at. */
  public void everyOrder(Consumer<List<SeenReport>> look) {
    permute(new ArrayList<>(reports), 0, look);
  }

  /** One of the orders. */
  public List<SeenReport> someOrder(Random random) {
    List<SeenReport> order = new ArrayList<>(reports);
    Collections.shuffle(order, random);
    return order;
  }

  private static void permute(List<SeenReport> order, int from, Consumer<List<SeenReport>> look) {
    if (from >= order.size() - 1) {
      look.accept(order);
      return;
    }
    for (int i = from; i < order.size(); i++) {
      Collections.swap(order, from, i);
      permute(order, from + 1, look);
      Collections.swap(order, from, i);
    }
  }

  /** Whether the request itself was refused for good: asked again, the upstream says so again. */
  public boolean isRejected() {
    return reports.stream().anyMatch(report -> report.kind() == Kind.FAILED);
  }

  /** Whether an attempt of which a success was seen was seen to fail too. */
  public boolean hasContradiction() {
    return reports.stream().filter(SeenReport::seesEffect).anyMatch(this::isDenied);
  }

  private boolean isDenied(SeenReport success) {
    return reports.stream()
        .anyMatch(report -> report.kind() == Kind.FAILED && report.attempt() == success.attempt());
  }
}
