package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What makes two reported successes the same effect.
 *
 * @param value visible NFC text, at most 255 characters
 */
public record EffectId(@JsonValue String value) {
  static final int LIMIT = 255;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public EffectId {
    Text.named("the effect id", value, LIMIT);
  }

  @Override
  public String toString() {
    return value;
  }
}
