package dev.holdfast.activities.internal;

import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import java.util.List;

/**
 * An answer as it came, read by a table. A digest that lies takes every meaning from it, a definite
 * no among them.
 *
 * @param body the bytes as received
 */
@SuppressWarnings("ArrayRecordComponent") // lives until it is kept
public record UpstreamAnswer(int status, byte[] body, DigestCheck digests) {

  /**
   * Keeps in the scope what the answer means; returns where it is a success.
   *
   * @throws UpstreamRejectedException the effect will not happen
   * @throws UpstreamRefusedException nothing was done, this time
   * @throws UpstreamUnverifiedException it says nothing, or is not believed
   */
  public void keepIn(EffectScope scope, AnswerTable table) {
    switch (digests) {
      case DIFFERS -> throw scope.unverified("digest_differs");
      case MALFORMED -> throw scope.unverified("digest_malformed");
      case ABSENT, MATCHES -> read(scope, table);
    }
  }

  private void read(EffectScope scope, AnswerTable table) {
    switch (table.verdict(status)) {
      case SUCCEEDED -> succeeded(scope, table.digestRule());
      case REJECTED -> {
        SettledFailure failure = new SettledFailure(word(), status);
        scope.rejected(failure);
        throw new UpstreamRejectedException(failure.code(), status);
      }
      case REFUSED -> {
        scope.refused(status);
        throw new UpstreamRefusedException(status);
      }
      case UNKNOWN -> throw scope.unverified(word());
    }
  }

  private void succeeded(EffectScope scope, DigestRule rule) {
    DigestRule stillOwed = digests == DigestCheck.MATCHES ? DigestRule.OPTIONAL : rule;
    Verification verification =
        new UpstreamResponse(status, true, body, List.of(), scope.effectId()).verify(stillOwed);
    scope.answered(verification);
    if (verification instanceof Verification.Unverified(String reason)) {
      throw new UpstreamUnverifiedException(reason);
    }
  }

  private String word() {
    return "status_" + status;
  }
}
