package dev.holdfast.ledger;

/**
 * Digest of everything in a request that the effect depends on, with the scheme that made it. Equal
 * digests of two schemes say nothing, so the scheme belongs to the identity.
 *
 * @param scheme name of the scheme, at most 16 characters, such as {@code fp1}
 */
public record RequestFingerprint(String scheme, Sha256 digest) {
  static final int SCHEME_LIMIT = 16;

  public RequestFingerprint {
    Text.named("the fingerprint scheme", scheme, SCHEME_LIMIT);
  }
}
