package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The tenant boundary; part of every operation's name, so that equal keys of two tenants are two
 * operations.
 *
 * @param value visible NFC text, at most 100 characters
 */
public record Scope(@JsonValue String value) {
  static final int LIMIT = 100;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Scope {
    Text.named("the scope", value, LIMIT);
  }

  @Override
  public String toString() {
    return value;
  }
}
