package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import java.text.Normalizer;

/**
 * Tells the dispatches of one activity apart, each of which has an upstream key of its own. Part of
 * that key, so it must be the same at every attempt.
 *
 * @param value NFC text without control characters, at most 100 characters; empty for the dispatch
 *     that needs no name
 */
record DispatchName(String value) implements Comparable<DispatchName> {
  /** The name of the dispatch that needs none. */
  static final DispatchName ONLY = new DispatchName("");

  private static final int LIMIT = 100;

  /**
   * The name that an author gave.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code NotProtectable}: it names nothing
   */
  static DispatchName of(String value) {
    if (value.isBlank()
        || value.codePointCount(0, value.length()) > LIMIT
        || value.codePoints().anyMatch(DispatchName::isUnfit)
        || !Normalizer.isNormalized(value, Normalizer.Form.NFC)) {
      throw HoldfastFailures.notProtectable(
          "dispatch-name",
          "the name of a dispatch is visible NFC text of at most " + LIMIT + " characters");
    }
    return new DispatchName(value);
  }

  private static boolean isUnfit(int point) {
    return Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE;
  }

  @Override
  public int compareTo(DispatchName other) {
    return value.compareTo(other.value);
  }
}
