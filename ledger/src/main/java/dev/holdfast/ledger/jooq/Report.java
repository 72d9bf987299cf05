package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Observation;
import dev.holdfast.ledger.settlement.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of a claim, present or former, reports of its own attempt. Its tuple is the
 * claim's own, as it was committed; of what the upstream signed it bears the signed generation.
 *
 * @param success present with {@link Observation.Succeeded}
 * @param status the upstream's own status code, where it answered
 * @param reason a word, where there is no success
 * @param found the other attempt that it is about, where its holder has asked the upstream; null
 *     where it is about its own
 */
record Report(
    Lease lease,
    Observation observation,
    @Nullable SuccessEvidence success,
    @Nullable Integer status,
    @Nullable String reason,
    @Nullable OpenAttempt found) {

  /** A word for evidence that was matched by the binding's live generation. */
  private static final String LIVE_GENERATION = "live_generation";

  /** A success to come: what would become of it. */
  static Report intent(Lease lease) {
    EffectId effect = new EffectId(lease.claimId().toString());
    return new Report(
        lease,
        new Observation.Succeeded(tuple(lease), effect, lease.claimId()),
        null,
        null,
        null,
        null);
  }

  static Report of(Lease lease, VerifiedResponse response, StoredResult result) {
    Generation signed = response.signedGeneration();
    Tuple tuple = signed == null ? tuple(lease) : tuple(lease).in(signed);
    SuccessEvidence success = new SuccessEvidence(tuple, lease.claimId(), response, result);
    return new Report(lease, success.observation(), success, response.status(), null, null);
  }

  /** The effect of an earlier attempt, or of nobody knows which. */
  static Report found(
      Lease lease, VerifiedResponse response, StoredResult result, @Nullable OpenAttempt found) {
    if (found == null) {
      return of(lease, response, result);
    }
    SuccessEvidence success = new SuccessEvidence(tuple(lease), found.claimId(), response, result);
    return new Report(lease, success.observation(), success, response.status(), null, found);
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
              failure.code(),
              null);
      case AttemptEnd.Refused(int status) ->
          new Report(lease, new Observation.Refused(tuple), null, status, null, null);
      case AttemptEnd.Unclear(String reason) ->
          new Report(lease, new Observation.TimedOut(tuple), null, null, reason, null);
    };
  }

  /** The same success, as one that bears this generation. */
  Report in(Generation generation) {
    if (!(observation instanceof Observation.Succeeded seen)) {
      throw new IllegalStateException("only evidence of a success is matched by a rule");
    }
    Tuple tuple = seen.tuple().in(generation);
    return new Report(
        lease,
        new Observation.Succeeded(tuple, seen.effect(), seen.attempt()),
        success == null
            ? null
            : new SuccessEvidence(tuple, seen.attempt(), success.response(), success.result()),
        status,
        reason,
        found);
  }

  /** As its upstream signed it, where that was matched by the live generation; else null. */
  @Nullable Report asSigned() {
    Generation signed = success == null ? null : success.response().signedGeneration();
    if (signed == null || signed.equals(observation.tuple().generation())) {
      return null;
    }
    Report carried = in(signed);
    return new Report(
        lease, carried.observation(), carried.success(), status, LIVE_GENERATION, found);
  }

  static Tuple tuple(Lease lease) {
    return Tuple.of(lease.reservation(), lease.epoch());
  }

  /** Whose attempt it is about. */
  ClaimId attempt() {
    return found == null ? lease.claimId() : found.claimId();
  }

  /** That attempt's token. */
  FencingToken token() {
    return found == null ? lease.token() : found.token();
  }

  /** Whether its holder asked, and dispatched nothing itself. */
  boolean isFound() {
    return found != null;
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
