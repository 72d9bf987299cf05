package dev.holdfast.samples.upstream;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * What a late upstream waits for. It waits on a thread of its own; closing the upstream interrupts
 * it.
 */
@FunctionalInterface
public interface Hold {

  /** Returns when the upstream may go on. */
  void await() throws InterruptedException;

  /** Holds until somebody opens the latch. */
  static Hold until(CountDownLatch latch) {
    return latch::await;
  }

  /**
   * Holds for a while, the only kind that another process can ask for.
   *
   * @param length zero or more
   */
  record For(Duration length) implements Hold {

    /** Validates. */
    public For {
      if (length.isNegative()) {
        throw new IllegalArgumentException("a hold is not negative: " + length);
      }
    }

    @Override
    public void await() throws InterruptedException {
      // nobody opens this latch: the wait ends with its time or with an interrupt
      boolean opened = new CountDownLatch(1).await(length.toNanos(), NANOSECONDS);
      assert !opened;
    }
  }
}
