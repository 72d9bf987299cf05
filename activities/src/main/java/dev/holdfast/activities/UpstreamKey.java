package dev.holdfast.activities;

/**
 * The idempotency key that an upstream gets: the same for every attempt of one execution of an
 * operation, whoever makes it. Opaque; holds nothing of the operation's own key in clear.
 *
 * @param value {@code hf1-} and 43 characters of base64url (RFC 4648, section 5)
 */
public record UpstreamKey(String value) {
  private static final String FORM = "hf1-[A-Za-z0-9_-]{43}";

  public UpstreamKey {
    if (!value.matches(FORM)) {
      throw new IllegalArgumentException("not an upstream key");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
