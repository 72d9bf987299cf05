package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceGeneration;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.workflows.internal.FencedMethod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a fenced activity asks for: taken once, before the effect can change the
 * arguments it came from.
 *
 * @param gates completions that must stand
 * @param origin where the call comes from
 * @param time how long this attempt may hold its lease, and when nobody waits for it any more
 * @param question who finds out what became of an earlier attempt
 * @param binding that the reservation's generation is of; null where the effect is requested under
 *     none
 * @param attesting whether the upstream must sign, and who verifies that
 */
record FencedRequest(
    FencedMethod method,
    Reservation reservation,
    List<Completion> gates,
    AttemptOrigin origin,
    AttemptTime time,
    Question question,
    @Nullable BindingName binding,
    Attesting attesting) {

  /** What logs and failures may show of the key. */
  KeyDigest keyDigest() {
    return Vocabulary.keyDigest(reservation);
  }

  /** Until when this attempt may hold a lease whose first term ends then. */
  LocalDeadline holdUntil(LocalDeadline firstExpiry, HoldfastSettings settings) {
    Duration beyond = dispatchWithin(settings).minus(settings.leaseFor());
    return LocalDeadline.after(firstExpiry.nanoTime(), beyond);
  }

  /** A claim of its own; asked again with another id. */
  ClaimRequest claim(HoldfastSettings settings) {
    try {
      ClaimRequest claim =
          new ClaimRequest(
              reservation,
              ClaimId.random(),
              settings.worker(),
              origin,
              settings.leaseFor(),
              dispatchWithin(settings),
              inFlight(),
              settings.margin(),
              rule(settings),
              policy(),
              gates);
      return binding == null ? claim : claim.boundTo(binding);
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.invalidOperation("claim", String.valueOf(e.getMessage()));
    }
  }

  /** A method whose evidence must carry the live generation has a binding, or was refused. */
  private SettlementPolicy policy() {
    SettlementPolicy policy = Vocabulary.policy(method.payloadPolicy(), method.terminalPolicy());
    return binding != null && method.evidenceGeneration() == EvidenceGeneration.LIVE
        ? policy.underLive(binding)
        : policy;
  }

  private Duration dispatchWithin(HoldfastSettings settings) {
    Duration bound = time.bound();
    return bound.compareTo(settings.leaseFor()) > 0 ? bound : settings.leaseFor();
  }

  /**
   * Where nobody said how long a request may be under way, as long as its key is remembered; zero
   * where its upstream is the ledger itself, or refuses older tokens.
   */
  private Duration inFlight() {
    return method.inFlight().or(method::keyHorizon).orElse(Duration.ZERO);
  }

  private OpenAttemptRule rule(HoldfastSettings settings) {
    return switch (method.upstream()) {
      case SAME_TRANSACTION -> new OpenAttemptRule.RolledBack();
      case HONOURS_KEY ->
          new OpenAttemptRule.SameKeyAgain(
              method.keyHorizon().orElseThrow(), Protectable.keySlack(method, settings), unsure());
      case VERIFIABLE -> new OpenAttemptRule.AskFirst();
      case OPAQUE -> new OpenAttemptRule.ParkWhileOpen();
    };
  }

  private OpenAttemptRule.Unsure unsure() {
    return question.canBeAsked()
        ? new OpenAttemptRule.AskFirst()
        : new OpenAttemptRule.ParkWhileOpen();
  }
}
