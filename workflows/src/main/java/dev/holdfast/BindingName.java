package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Names an authorization whose generations are counted: a token, a mandate, a connection to an
 * upstream. A scope has bindings of its own.
 *
 * @param value visible NFC text, at most 255 characters
 */
public record BindingName(@JsonValue String value) {
  static final int LIMIT = 255;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public BindingName {
    Text.named("the binding", value, LIMIT);
  }

  @Override
  public String toString() {
    return value;
  }
}
