package dev.holdfast;

/**
 * Name of a resource that several operations take in turn.
 *
 * @param value visible NFC text, at most 255 characters
 */
public record ResourceName(String value) {
  static final int LIMIT = 255;

  public ResourceName {
    Text.named("the resource", value, LIMIT);
  }

  @Override
  public String toString() {
    return value;
  }
}
