package dev.holdfast.ledger.interleaving;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one worker at a time go from one pause point to its next one. Between two points a worker is
 * alone, so that the order of the points is the order of everything.
 */
final class Turns {
  private static final ThreadLocal<Turn> CURRENT = new ThreadLocal<>();
  private static final long PATIENCE_SECONDS = 60;

  private final List<Turn> workers;

  /** What a worker does. */
  interface Work {
    void run() throws Exception;
  }

  private static final class Turn {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore arrived = new Semaphore(0);
    private volatile boolean ended;

    void pause() {
      arrived.release();
      go.acquireUninterruptibly();
    }

    void start(Work work, List<Throwable> thrown) {
      Thread.ofVirtual()
          .start(
              () -> {
                CURRENT.set(this);
                try {
                  work.run();
                } catch (Exception | Error e) {
                  thrown.add(e);
                } finally {
                  ended = true;
                  arrived.release();
                }
              });
    }

    void awaitArrival() throws InterruptedException {
      if (!arrived.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a worker is stuck between two of its points");
      }
    }
  }

  private Turns(List<Turn> workers) {
    this.workers = workers;
  }

  /** A pause point of the worker that runs here; none where nobody takes turns. */
  static void point() {
    Turn own = CURRENT.get();
    if (own != null) {
      own.pause();
    }
  }

  /** Starts them; each stands at its first point when this returns. */
  static Turns of(List<Work> works, List<Throwable> thrown) throws InterruptedException {
    Turns turns = new Turns(works.stream().map(work -> new Turn()).toList());
    for (int i = 0; i < works.size(); i++) {
      turns.workers.get(i).start(works.get(i), thrown);
      turns.workers.get(i).awaitArrival();
    }
    return turns;
  }

  /** This worker's next step; nothing where it has ended. */
  void step(int worker) throws InterruptedException {
    Turn turn = workers.get(worker);
    if (!turn.ended) {
      turn.go.release();
      turn.awaitArrival();
    }
  }

  /** All that is left of them, one after the other. */
  void finish() throws InterruptedException {
    for (int worker = 0; worker < workers.size(); worker++) {
      while (!workers.get(worker).ended) {
        step(worker);
      }
    }
  }
}
