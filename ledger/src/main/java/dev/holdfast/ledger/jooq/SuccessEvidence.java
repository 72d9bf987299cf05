package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Observation;
import dev.holdfast.ledger.settlement.StoredSuccess;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A verified success with all that a receipt needs, just reported or stored before.
 *
 * @param attempt whose dispatch it was; null where the evidence cannot tell
 */
record SuccessEvidence(
    Tuple tuple, @Nullable ClaimId attempt, VerifiedResponse response, StoredResult result)
    implements StoredSuccess {

  @Override
  public Observation.Succeeded observation() {
    return new Observation.Succeeded(tuple, response.effect(), attempt);
  }

  boolean isOfSameEffect(SuccessEvidence other) {
    return response.effect().equals(other.response.effect());
  }

  /** Its grade's word in {@code observation}, and the source's in {@code receipt}. */
  String gradeWord() {
    return response.grade().name().toLowerCase(Locale.ROOT);
  }
}
