package dev.holdfast.activities.evidence;

import java.time.Instant;

/** What a verifier made of a message. */
public sealed interface Attestation {
  /**
   * The holder of this key signed that the effect's request ended so.
   *
   * @param effect the tuple as signed
   * @param status the upstream's own status code, as signed
   * @param signedAt by the signer's clock
   */
  record Attested(KeyId key, EffectTuple effect, int status, Instant signedAt)
      implements Attestation {}

  /** Nothing is proved. */
  record Refused(Refusal reason) implements Attestation {}

  /** The same where it is about this very effect; else refused by the first part that differs. */
  default Attestation about(EffectTuple expected) {
    return switch (this) {
      case Refused refused -> refused;
      case Attested attested ->
          attested.effect().difference(expected).<Attestation>map(Refused::new).orElse(attested);
    };
  }
}
