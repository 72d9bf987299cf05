package dev.holdfast;

/**
 * Which binding generation the evidence of a success must carry to complete its operation. Evidence
 * of another one is set aside, warned of within bounds, and closes nothing.
 */
public enum EvidenceGeneration {
  /** The one that the effect was requested under, though the binding was rotated since. */
  RESERVATION,

  /**
   * The one that the binding bears when the evidence is settled: for an upstream that signs what it
   * did under the authorization of that moment. Needs a parameter with {@code @BoundTo}. What an
   * attempt saw with its own eyes carries the generation it was requested under, so that a rotation
   * while it runs leaves its outcome unknown; so does a delivery, which is refused.
   */
  LIVE
}
