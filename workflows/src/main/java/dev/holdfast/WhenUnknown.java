package dev.holdfast;

/** What a workflow does about an operation whose outcome only a person can find out. */
public enum WhenUnknown {
  /**
   * Wait durably, and go on with the result once it is decided. An operation waits for a person
   * where it is parked: under {@link UpstreamContract#OPAQUE} as soon as an attempt of unknown
   * outcome is over, its only one too; under the others where nobody can be asked any more. Else
   * retries that are exhausted beside an open attempt fail as {@link #FAIL} does.
   */
  WAIT,

  /** Fail with {@link HoldfastFailures#OUTCOME_UNKNOWN}. */
  FAIL
}
