package dev.holdfast.ledger;

import java.time.Duration;

/**
 * A moment on this process's monotonic clock. Pessimistic companion of a database instant: it
 * refuses to start work too late, and never proves that a lease is held.
 */
public record LocalDeadline(long nanoTime) {
  /** That long after the given reading of {@link System#nanoTime()}. */
  public static LocalDeadline after(long startNanoTime, Duration rest) {
    return new LocalDeadline(startNanoTime + rest.toNanos());
  }

  /** What is left; zero or negative once it is past. */
  public Duration rest() {
    return Duration.ofNanos(nanoTime - System.nanoTime());
  }

  /** Whether it is past. */
  public boolean isPast() {
    return nanoTime - System.nanoTime() <= 0;
  }

  /** The earlier one. */
  public LocalDeadline earlier(LocalDeadline other) {
    return nanoTime - other.nanoTime <= 0 ? this : other;
  }
}
