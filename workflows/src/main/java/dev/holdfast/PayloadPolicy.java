package dev.holdfast;

/**
 * What becomes of an operation when two successes with different effects are reported for one
 * operation.
 */
public enum PayloadPolicy {
  /** It waits in conflict for a person; its gates close. */
  CONFLICT,

  /** What was committed first stays; the other report is recorded. */
  FIRST_COMMIT
}
