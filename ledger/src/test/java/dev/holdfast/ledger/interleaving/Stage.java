package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A real ledger on which interleavings are played, several operations at a time. */
final class Stage {
  private static final int LANES = 6;
  private static final String CLOSER = "closer";

  private static final AtomicInteger KEYS = new AtomicInteger();

  private final Set<Happening.What> met = ConcurrentHashMap.newKeySet();
  private final Ledger paused;
  private final Ledger unpaused;
  private final RawLedger raw;

  private Stage(DataSource source, UnaryOperator<String> rewriting) {
    this.paused = JooqLedger.open(PausingSource.over(source, rewriting), LedgerOptions.standard());
    this.unpaused = JooqLedger.open(source, LedgerOptions.standard());
    this.raw = new RawLedger(source);
  }

  static Stage on(EmbeddedLedger ledger) {
    return on(ledger, UnaryOperator.identity());
  }

  /** With statements rewritten on their way. */
  static Stage on(EmbeddedLedger ledger, UnaryOperator<String> rewriting) {
    return new Stage(ledger.pool(2 * LANES), rewriting);
  }

  /**
   * Plays them all.
   *
   * @return what was wrong, each with the interleaving and all that happened
   */
  List<String> play(List<Interleaving> interleavings) throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        running.add(
            lanes.submit(
                () -> {
                  for (int i = next.getAndIncrement();
                      i < interleavings.size();
                      i = next.getAndIncrement()) {
                    violations.addAll(play(interleavings.get(i)));
                  }
                  return null;
                }));
      }
      await(running);
    }
    return List.copyOf(violations);
  }

  /** What has happened so far, in some interleaving. */
  Set<Happening.What> met() {
    return met;
  }

  private static void await(List<Future<?>> running)
      throws InterruptedException, ExecutionException {
    for (Future<?> lane : running) {
      lane.get();
    }
  }

  private List<String> play(Interleaving one) throws InterruptedException {
    Scene scene =
        new Scene(
            Rows.reservation("interleaved-" + KEYS.incrementAndGet()),
            new Upstream(one.contract()),
            unpaused,
            raw,
            new ArrayList<>());
    List<Throwable> thrown = new ArrayList<>();
    Turns turns =
        Turns.of(
            List.of(
                new Worker("first", one.first(), paused, scene),
                new Worker("second", one.second(), paused, scene)),
            thrown);
    for (int step = 0; step < 2 * Interleaving.STEPS; step++) {
      turns.step(one.worker(step));
    }
    turns.finish();
    raw.runOut(scene.operation().operation().text());
    new Worker(CLOSER, Worker.Habit.STEADY, unpaused, scene).run();
    scene.happened().forEach(seen -> met.add(seen.what()));
    List<String> violations = new ArrayList<>(Checker.violations(scene, CLOSER));
    thrown.forEach(error -> violations.add("nobody throws: " + error));
    return violations.stream()
        .map(violation -> violation + "\n  in " + one + "\n  " + scene.happened())
        .toList();
  }
}
