package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effect that an operation was completed with.
 *
 * @param attempts whose success it is on record as: the one whose dispatch settled it (not the
 *     claim that picked its evidence up), and any other that saw the same effect
 */
public record SettledEffect(EffectId effect, Set<ClaimId> attempts) {

  public SettledEffect {
    attempts = Set.copyOf(attempts);
  }

  /** Seen by one attempt; by none that the evidence can tell, where it is null. */
  public SettledEffect(EffectId effect, @Nullable ClaimId attempt) {
    this(effect, attempt == null ? Set.of() : Set.of(attempt));
  }

  boolean isOf(Observation.Succeeded success) {
    return effect.equals(success.effect());
  }

  /** A failure that names no attempt contradicts none. */
  boolean isDeniedBy(Observation.Failed failure) {
    return failure.attempt() != null && attempts.contains(failure.attempt());
  }
}
