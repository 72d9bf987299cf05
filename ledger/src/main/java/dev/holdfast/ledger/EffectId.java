package dev.holdfast.ledger;

/**
 * What makes two reported successes the same effect: the upstream key, the upstream's commitment
 * id, or the attempt that dispatched, by contract.
 *
 * @param value visible NFC text, at most 255 characters
 */
public record EffectId(String value) {
  static final int LIMIT = 255;

  public EffectId {
    Text.named("the effect id", value, LIMIT);
  }
}
