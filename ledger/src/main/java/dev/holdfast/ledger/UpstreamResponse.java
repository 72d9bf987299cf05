package dev.holdfast.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an upstream answered, before anything of it is believed.
 *
 * @param status the upstream's own status code
 * @param terminal whether that status says that the effect is done
 * @param body the bytes as received
 * @param declared digests that the upstream itself sent for these bytes; empty where it sends none
 * @param effect what makes this effect itself and not another
 */
@SuppressWarnings(
    "ArrayRecordComponent") // compared by nobody: it lives between receipt and verification
public record UpstreamResponse(
    int status, boolean terminal, byte[] body, List<Sha256> declared, EffectId effect) {

  /** Whether a response without a digest of its own is believed. */
  public enum DigestRule {
    OPTIONAL,
    REQUIRED
  }

  public UpstreamResponse {
    declared = List.copyOf(declared);
  }

  /**
   * Checks status and digests (seed: no receipt before {@code upstream_response_sha256} and the
   * terminal status are verified).
   */
  public Verification verify(DigestRule rule) {
    return verify(rule, EvidenceGrade.WITNESSED, null);
  }

  /**
   * The same checks for what an upstream answered when it was asked what had become of an earlier
   * attempt: of grade {@link EvidenceGrade#RECONCILED}, for {@link Finding.Happened} alone. Status
   * and body are those of the answer to the question; the effect is the one that was found.
   */
  public Verification verifyFound(DigestRule rule) {
    return verify(rule, EvidenceGrade.RECONCILED, null);
  }

  /**
   * The same checks for what the upstream signed, bound to the lease's tuple: of grade {@link
   * EvidenceGrade#ATTESTED}. The signature is the caller's to verify.
   */
  public Verification verifyAttested(DigestRule rule) {
    return verify(rule, EvidenceGrade.ATTESTED, null);
  }

  /**
   * The same for what the upstream signed over this generation, another than the lease's. Whether
   * it matches is for the ledger to say ({@link dev.holdfast.ledger.settlement.GenerationRule}).
   */
  public Verification verifyAttested(DigestRule rule, Generation signed) {
    return verify(rule, EvidenceGrade.ATTESTED, signed);
  }

  private Verification verify(DigestRule rule, EvidenceGrade grade, @Nullable Generation signed) {
    if (!terminal) {
      return new Verification.Unverified("status");
    }
    Sha256 digest = Sha256.of(body);
    if (declared.isEmpty() && rule == DigestRule.REQUIRED) {
      return new Verification.Unverified("digest_missing");
    }
    if (declared.stream().anyMatch(sent -> !sent.equals(digest))) {
      return new Verification.Unverified("digest_differs");
    }
    return new Verification.Verified(new VerifiedResponse(status, digest, effect, grade, signed));
  }
}
