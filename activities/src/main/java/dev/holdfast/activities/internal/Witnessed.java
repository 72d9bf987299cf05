package dev.holdfast.activities.internal;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import java.util.List;

/** Makes responses of bytes that need no proof of their own: this attempt itself saw them. */
final class Witnessed {
  private Witnessed() {}

  static VerifiedResponse response(int status, byte[] bytes, EffectId effect) {
    UpstreamResponse seen = new UpstreamResponse(status, true, bytes, List.of(), effect);
    return switch (seen.verify(DigestRule.OPTIONAL)) {
      case Verification.Verified(VerifiedResponse verified) -> verified;
      case Verification.Unverified(String reason) -> throw new IllegalStateException(reason);
    };
  }
}
