package dev.holdfast.activities.internal;

import java.util.function.Supplier;

/** The interrupt flag of an activity's thread. */
final class Interrupts {
  private Interrupts() {}

  /**
   * Clears it. A flag left by the effect would break the commit's connection, and a flag at return
   * makes the SDK lose the completion, so that the activity runs again.
   */
  static void clear() {
    boolean unused = Thread.interrupted();
  }

  /**
   * The answer, asked for once more where an interrupt broke it off: a stop that interrupts does so
   * once, and what ends a lease is never put off for it.
   */
  static <T> T despite(Supplier<T> ask) {
    try {
      return ask.get();
    } catch (RuntimeException e) {
      if (!Thread.interrupted()) {
        throw e;
      }
      return ask.get();
    }
  }
}
