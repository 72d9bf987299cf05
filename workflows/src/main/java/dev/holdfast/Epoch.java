package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Execution number of an operation, 0 at first; rises only when a person orders it to run again.
 */
public record Epoch(@JsonValue int value) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Epoch {
    if (value < 0) {
      throw new IllegalArgumentException("a negative epoch: " + value);
    }
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
