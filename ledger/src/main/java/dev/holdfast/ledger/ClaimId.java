package dev.holdfast.ledger;

import java.util.UUID;

/**
 * Names one claim. The claimant makes it before it asks, so that a lost answer can be read back and
 * the same question asked again. With the fencing token it is the holder.
 */
public record ClaimId(UUID value) {
  /** A fresh random id. */
  public static ClaimId random() {
    return new ClaimId(UUID.randomUUID());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
