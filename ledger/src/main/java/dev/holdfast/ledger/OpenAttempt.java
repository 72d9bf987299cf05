package dev.holdfast.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An earlier attempt whose fate nobody knows. Instants are the database's.
 *
 * @param claimId whose attempt it is
 * @param token what it may have shown to the upstream
 * @param generation the binding generation that it was claimed under
 * @param origin where its claim came from
 * @param claimedAt when it was claimed
 * @param dispatchDeadline no dispatch of it starts later
 * @param horizon from then on its request cannot land any more, and all it did is visible
 * @param lastReason what was reported of it last; null where nothing was
 */
public record OpenAttempt(
    ClaimId claimId,
    FencingToken token,
    Generation generation,
    AttemptOrigin origin,
    Instant claimedAt,
    Instant dispatchDeadline,
    Instant horizon,
    @Nullable String lastReason) {

  /** What makes its effect itself where the upstream gives effects no id of its own. */
  public EffectId effect() {
    return new EffectId(claimId.toString());
  }
}
