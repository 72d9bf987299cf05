package dev.holdfast;

/**
 * What becomes of an operation when both a success and a definite failure are reported for one
 * operation.
 */
public enum TerminalPolicy {
  /** It waits in conflict for a person; its gates close. */
  CONFLICT,

  /** What was committed first stays; the other report is recorded. */
  FIRST_COMMIT
}
