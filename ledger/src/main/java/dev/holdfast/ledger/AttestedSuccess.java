package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.GenerationRule;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;

/**
 * A success that the upstream signed and sent by itself: nobody's claim stands behind it, so its
 * tuple is the signed one and its effect is what the upstream's contract says, never an attempt.
 *
 * @param response of grade {@link EvidenceGrade#ATTESTED}
 * @param result what the operation's callers get, should this complete it
 * @param policy what happens where two verified truths disagree; by the reservation's generation
 */
public record AttestedSuccess(
    Tuple tuple, VerifiedResponse response, StoredResult result, SettlementPolicy policy) {
  public AttestedSuccess {
    if (response.grade() != EvidenceGrade.ATTESTED) {
      throw new IllegalArgumentException("nobody signed it: " + response.grade());
    }
    if (!(policy.generation() instanceof GenerationRule.OfReservation)) {
      throw new IllegalArgumentException(
          "a success that came by itself is matched by the reservation's generation alone");
    }
  }
}
