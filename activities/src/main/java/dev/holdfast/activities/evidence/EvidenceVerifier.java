package dev.holdfast.activities.evidence;

/**
 * Says who signed a message and what is proved by that. Called on the thread that received the
 * message; must be safe for use by many threads.
 *
 * <p>{@link MessageSignatureVerifier} reads HTTP Message Signatures (RFC 9421), {@link
 * WebhookVerifier} the signed bodies that providers deliver. An implementation of one's own takes
 * tuple and status from nothing but signed bytes: what an upstream echoes unsigned is no evidence.
 */
@FunctionalInterface
public interface EvidenceVerifier {
  /**
   * What the message proves by itself; whether it is about the effect in question is for the caller
   * to compare ({@link Attestation#about}).
   *
   * @return never throws for what stands in the message: whatever is wrong with it is refused by
   *     name
   */
  Attestation verify(SignedMessage message);
}
