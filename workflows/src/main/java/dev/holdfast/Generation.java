package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Binding generation: the authorization under which an effect was requested; 0 where none is used.
 */
public record Generation(@JsonValue long value) {
  /** Where no binding is used. */
  public static final Generation NONE = new Generation(0);

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Generation {
    if (value < 0) {
      throw new IllegalArgumentException("a negative binding generation: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
