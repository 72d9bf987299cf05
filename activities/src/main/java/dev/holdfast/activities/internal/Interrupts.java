package dev.holdfast.activities.internal;

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
}
