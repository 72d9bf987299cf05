package dev.holdfast.activities.internal;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes responses of bytes that need no proof of their own: this attempt itself saw them. */
final class Witnessed {
  private Witnessed() {}

  static VerifiedResponse response(int status, byte[] bytes, EffectId effect) {
    return verified(seen(status, bytes, effect).verify(DigestRule.OPTIONAL));
  }

  /** The same over answers that were all signed. */
  static VerifiedResponse signed(int status, byte[] bytes, EffectId effect) {
    return verified(seen(status, bytes, effect).verifyAttested(DigestRule.OPTIONAL));
  }

  /** The same, signed under this generation; under the requested one where it is null. */
  static VerifiedResponse signed(
      int status, byte[] bytes, EffectId effect, @Nullable Generation generation) {
    return generation == null
        ? signed(status, bytes, effect)
        : verified(seen(status, bytes, effect).verifyAttested(DigestRule.OPTIONAL, generation));
  }

  private static UpstreamResponse seen(int status, byte[] bytes, EffectId effect) {
    return new UpstreamResponse(status, true, bytes, List.of(), effect);
  }

  private static VerifiedResponse verified(Verification verification) {
    return switch (verification) {
      case Verification.Verified(VerifiedResponse verified) -> verified;
      case Verification.Unverified(String reason) -> throw new IllegalStateException(reason);
    };
  }
}
