package dev.holdfast;

/** What counts as proof that the upstream carried out the effect. */
public enum EvidenceRule {
  /** The response that the attempt itself received over the exchange it opened. */
  WITNESSED,

  /** The value that the activity method returned stands for the response. */
  RESULT,

  /**
   * A response whose sender signed the operation's tuple. What a look-up finds out about an effect
   * whose response nobody saw is of a grade of its own, and is not asked for a signature.
   */
  ATTESTED
}
