package dev.holdfast.ledger;

import java.util.UUID;

/**
 * Names one act of a person's. Who orders it makes it before, so that an act whose answer was lost
 * can be ordered again without being done twice.
 */
public record ActId(UUID value) {
  /** A fresh random id. */
  public static ActId random() {
    return new ActId(UUID.randomUUID());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
