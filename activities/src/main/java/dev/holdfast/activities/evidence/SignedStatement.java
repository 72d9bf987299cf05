package dev.holdfast.activities.evidence;

/**
 * What a signed body says: which effect it is about, and how its request ended.
 *
 * @param status as the answer to the request would have borne it
 */
public record SignedStatement(EffectTuple effect, int status) {
  /** Reads the bodies of one provider. */
  @FunctionalInterface
  public interface Reader {
    /**
     * What this body says; called once its signature was verified. The tuple is what the provider
     * keeps and gives back of the request's own fields ({@link EffectTuple#fields}), such as its
     * metadata.
     *
     * @throws RuntimeException it says nothing of the kind: refused as malformed
     */
    SignedStatement read(byte[] body);
  }
}
