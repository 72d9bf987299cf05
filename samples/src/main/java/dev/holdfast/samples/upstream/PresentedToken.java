package dev.holdfast.samples.upstream;

/**
 * A {@code Fencing-Token} as a caller presented it. The upstreams see and keep it; they do not
 * refuse older ones, which is why they count as upstreams that honour keys and nothing more.
 *
 * @param value positive; a higher one belongs to a later holder
 */
public record PresentedToken(long value) implements Comparable<PresentedToken> {

  /** Validates. */
  public PresentedToken {
    if (value <= 0) {
      throw new IllegalArgumentException("a fencing token is positive");
    }
  }

  @Override
  public int compareTo(PresentedToken other) {
    return Long.compare(value, other.value);
  }
}
