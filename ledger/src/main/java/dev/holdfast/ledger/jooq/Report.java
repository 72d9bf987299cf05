package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Observation;
import dev.holdfast.ledger.settlement.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of a claim, present or former, reports of its own attempt. Its tuple is the
 * claim's own, as it was committed.
 *
 * @param success present with {@link Observation.Succeeded}
 * @param status the upstream's own status code, where it answered
 * @param reason a word, where there is no success
 */
record Report(
    Lease lease,
    Observation observation,
    @Nullable SuccessEvidence success,
    @Nullable Integer status,
    @Nullable String reason) {

  /** A success to come: what would become of it. */
  static Report intent(Lease lease) {
    EffectId effect = new EffectId(lease.claimId().toString());
    return new Report(
        lease, new Observation.Succeeded(tuple(lease), effect, lease.claimId()), null, null, null);
  }

  static Report of(Lease lease, VerifiedResponse response, StoredResult result) {
    SuccessEvidence success = new SuccessEvidence(tuple(lease), lease.claimId(), response, result);
    return new Report(lease, success.observation(), success, response.status(), null);
  }

  static Report of(Lease lease, AttemptEnd end) {
    Tuple tuple = tuple(lease);
    return switch (end) {
      case AttemptEnd.Failed(var failure) ->
          new Report(
              lease,
              new Observation.Failed(tuple, lease.claimId()),
              null,
              failure.status(),
              failure.code());
      case AttemptEnd.Refused(int status) ->
          new Report(lease, new Observation.Refused(tuple), null, status, null);
      case AttemptEnd.Unclear(String reason) ->
          new Report(lease, new Observation.TimedOut(tuple), null, null, reason);
    };
  }

  static Tuple tuple(Lease lease) {
    return Tuple.of(lease.reservation(), lease.epoch());
  }

  /** Whether the upstream's answer is known, so that the attempt's fate is. */
  boolean isDefinite() {
    return observation instanceof Observation.Definite;
  }

  /** Whether its holder can learn no more, and so ends its own lease as over. */
  boolean givesUp() {
    return observation instanceof Observation.TimedOut;
  }
}
