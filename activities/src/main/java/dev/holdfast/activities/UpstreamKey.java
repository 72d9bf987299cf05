package dev.holdfast.activities;

import org.jspecify.annotations.Nullable;

/**
 * The idempotency key that an upstream gets: the same for every attempt of one execution of an
 * operation, whoever makes it. Opaque; holds nothing of the operation's own key in clear.
 *
 * <p>It notices being read, so that a dispatch that never did is found out. Compared by value.
 */
public final class UpstreamKey {
  private static final String FORM = "hf1-[A-Za-z0-9_-]{43}";

  private final String value;
  private final Runnable onRead;

  /**
   * @param value {@code hf1-} and 43 characters of base64url (RFC 4648, section 5)
   */
  public UpstreamKey(String value) {
    this(value, () -> {});
  }

  UpstreamKey(String value, Runnable onRead) {
    if (!value.matches(FORM)) {
      throw new IllegalArgumentException("not an upstream key");
    }
    this.value = value;
    this.onRead = onRead;
  }

  /** What goes to the upstream. */
  public String value() {
    onRead.run();
    return value;
  }

  /** The same as {@link #value()}, since it may go to the upstream this way. */
  @Override
  public String toString() {
    return value();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UpstreamKey key && value.equals(key.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }
}
