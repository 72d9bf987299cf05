package dev.holdfast;

/**
 * Digest of everything in a request that the effect depends on, with the scheme that made it. Equal
 * digests of two schemes say nothing.
 *
 * @param scheme name of the scheme, at most 16 characters, such as {@code fp1}
 * @param sha256 64 lower-case hexadecimal digits
 */
public record RequestFingerprint(String scheme, String sha256) {
  static final int SCHEME_LIMIT = 16;
  private static final int DIGITS = 64;

  public RequestFingerprint {
    Text.named("the fingerprint scheme", scheme, SCHEME_LIMIT);
    if (sha256.length() != DIGITS || !sha256.chars().allMatch(RequestFingerprint::isHex)) {
      throw new IllegalArgumentException("not a SHA-256 digest in lower-case hexadecimal");
    }
  }

  private static boolean isHex(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }
}
