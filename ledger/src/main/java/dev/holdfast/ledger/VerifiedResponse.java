package dev.holdfast.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A response whose terminal status and digest were verified; only {@link UpstreamResponse} makes
 * one, and {@link Ledger#settle} takes nothing else.
 */
public final class VerifiedResponse {
  private final int status;
  private final Sha256 digest;
  private final EffectId effect;
  private final EvidenceGrade grade;
  private final @Nullable Generation signed;

  VerifiedResponse(
      int status,
      Sha256 digest,
      EffectId effect,
      EvidenceGrade grade,
      @Nullable Generation signed) {
    this.status = status;
    this.digest = digest;
    this.effect = effect;
    this.grade = grade;
    this.signed = signed;
  }

  /** The upstream's own status code. */
  public int status() {
    return status;
  }

  /** Digest of the bytes as received. */
  public Sha256 digest() {
    return digest;
  }

  /** What makes this effect itself. */
  public EffectId effect() {
    return effect;
  }

  /** How its tuple is known. */
  public EvidenceGrade grade() {
    return grade;
  }

  /**
   * The generation that its upstream signed; null where that is the lease's, or nothing was signed.
   */
  public @Nullable Generation signedGeneration() {
    return signed;
  }
}
