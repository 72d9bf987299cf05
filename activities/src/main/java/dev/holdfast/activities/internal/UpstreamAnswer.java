package dev.holdfast.activities.internal;

import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An answer as it came, read by a table. A digest that lies takes every meaning from it, a definite
 * no among them; so does a signature that is demanded and missing.
 *
 * @param body the bytes as received
 */
@SuppressWarnings("ArrayRecordComponent") // lives until it is kept
public record UpstreamAnswer(int status, byte[] body, DigestCheck digests, Proof proof) {
  private static final String OTHER_GENERATION = Refusal.OTHER_GENERATION.word();

  /**
   * Keeps what the answer means; returns where it is a success.
   *
   * @param commitment the upstream's own id of the effect, asked of a success alone
   * @throws UpstreamRejectedException the effect will not happen
   * @throws UpstreamRefusedException nothing was done, this time
   * @throws UpstreamUnverifiedException it says nothing, or is not believed
   */
  public void keepIn(
      OneDispatch dispatch, AnswerTable table, Supplier<Optional<String>> commitment) {
    switch (digests) {
      case DIFFERS -> throw dispatch.unverified("digest_differs");
      case MALFORMED -> throw dispatch.unverified("digest_malformed");
      case ABSENT, MATCHES -> read(dispatch, table, commitment);
    }
  }

  private void read(
      OneDispatch dispatch, AnswerTable table, Supplier<Optional<String>> commitment) {
    HttpVerdict verdict = table.verdict(status);
    if (verdict != HttpVerdict.UNKNOWN && proof instanceof Proof.Missing(String reason)) {
      throw dispatch.unverified(reason);
    }
    if (isNo(verdict) && proof instanceof Proof.SignedUnder) {
      throw dispatch.unverified(OTHER_GENERATION);
    }
    switch (verdict) {
      case SUCCEEDED ->
          succeeded(dispatch, table.digestRule(), dispatch.effectId(commitment.get()));
      case REJECTED -> {
        SettledFailure failure = new SettledFailure(word(), status);
        dispatch.rejected(failure);
        throw new UpstreamRejectedException(failure.code(), status);
      }
      case REFUSED -> {
        dispatch.refused(status);
        throw new UpstreamRefusedException(status);
      }
      case UNKNOWN -> throw dispatch.unverified(word());
    }
  }

  private void succeeded(OneDispatch dispatch, DigestRule rule, EffectId effect) {
    DigestRule stillOwed = digests == DigestCheck.MATCHES ? DigestRule.OPTIONAL : rule;
    UpstreamResponse response = new UpstreamResponse(status, true, body, List.of(), effect);
    Verification verification =
        switch (proof) {
          case Proof.Seen() -> response.verify(stillOwed);
          case Proof.Signed() -> response.verifyAttested(stillOwed);
          case Proof.SignedUnder(var generation) -> response.verifyAttested(stillOwed, generation);
          case Proof.Missing(String reason) -> new Verification.Unverified(reason);
        };
    if (proof instanceof Proof.SignedUnder
        && verification instanceof Verification.Verified(var other)
        && !dispatch.mayCarryLiveGeneration()) {
      throw dispatch.setAside(other, OTHER_GENERATION);
    }
    dispatch.answered(verification);
    if (verification instanceof Verification.Unverified(String reason)) {
      throw new UpstreamUnverifiedException(reason);
    }
  }

  private static boolean isNo(HttpVerdict verdict) {
    return verdict == HttpVerdict.REJECTED || verdict == HttpVerdict.REFUSED;
  }

  private String word() {
    return "status_" + status;
  }
}
