package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import org.jspecify.annotations.Nullable;

/**
 * The effect that an operation was completed with.
 *
 * @param attempt whose dispatch it was; not the claim that picked its evidence up
 */
public record SettledEffect(EffectId effect, @Nullable ClaimId attempt) {

  boolean isOf(Observation.Succeeded success) {
    return effect.equals(success.effect());
  }

  /** A failure that names no attempt contradicts none. */
  boolean isDeniedBy(Observation.Failed failure) {
    return attempt != null && attempt.equals(failure.attempt());
  }
}
