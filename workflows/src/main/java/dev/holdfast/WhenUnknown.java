package dev.holdfast;

/** What a workflow does about an operation whose outcome only a person can find out. */
public enum WhenUnknown {
  /** Wait durably, and go on with the result once it is decided. */
  WAIT,

  /** Fail with {@link HoldfastFailures#OUTCOME_UNKNOWN}. */
  FAIL
}
