package dev.holdfast.samples.demo;

import dev.holdfast.samples.upstream.Hold;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks ten times a second, for half a minute at most. */
final class Patience {
  private static final Hold A_MOMENT = new Hold.For(Duration.ofMillis(100));
  private static final int MOMENTS = 300;

  private Patience() {}

  /** What the look finds in the end; {@code or} says what it means that it found nothing. */
  static <T> T until(Supplier<Optional<T>> look, String or) throws InterruptedException {
    for (int moment = 0; moment < MOMENTS; moment++) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      A_MOMENT.await();
    }
    throw new IllegalStateException(or);
  }
}
