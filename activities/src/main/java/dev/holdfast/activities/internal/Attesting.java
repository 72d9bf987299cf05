package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.activities.evidence.Attestation;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.ledger.Generation;
import dev.holdfast.workflows.internal.FencedMethod;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a method wants its upstream to sign, and who verifies that.
 *
 * @param verifier null where nothing is demanded, or nobody was given
 */
record Attesting(boolean demanded, @Nullable EvidenceVerifier verifier) {
  /** The attempt's own eyes are enough. */
  static final Attesting NOT_DEMANDED = new Attesting(false, null);

  static Attesting of(FencedMethod method, @Nullable EvidenceVerifier verifier) {
    return method.evidence() == EvidenceRule.ATTESTED
        ? new Attesting(true, verifier)
        : NOT_DEMANDED;
  }

  boolean isDemandedInVain() {
    return demanded && verifier == null;
  }

  /**
   * What an answer proves of this dispatch.
   *
   * @param status as it came
   * @param message the answer as it came; empty where it was not kept so
   */
  Proof of(EffectTuple dispatch, int status, Supplier<Optional<SignedMessage>> message) {
    if (!demanded || verifier == null) {
      return new Proof.Seen();
    }
    try {
      return message
          .get()
          .map(verifier::verify)
          .map(attestation -> proof(attestation, dispatch, status))
          .orElseGet(() -> new Proof.Missing(Refusal.UNSIGNED.word()));
    } catch (RuntimeException e) {
      // a verifier of the user's own; what it throws may quote what the upstream sent
      return new Proof.Missing("verifier_threw");
    }
  }

  /** What is about another generation alone is a true signature, and the ledger's to judge. */
  private static Proof proof(Attestation attestation, EffectTuple dispatch, int status) {
    Generation requested = dispatch.tuple().generation();
    Generation signed =
        attestation instanceof Attestation.Attested attested
            ? attested.effect().tuple().generation()
            : requested;
    EffectTuple expected = new EffectTuple(dispatch.tuple().in(signed), dispatch.dispatch());
    return switch (attestation.about(expected)) {
      case Attestation.Refused(Refusal reason) -> new Proof.Missing(reason.word());
      case Attestation.Attested attested when attested.status() != status ->
          new Proof.Missing(Refusal.OTHER_STATUS.word());
      case Attestation.Attested attested when signed.equals(requested) -> new Proof.Signed();
      case Attestation.Attested attested -> new Proof.SignedUnder(signed);
    };
  }
}
