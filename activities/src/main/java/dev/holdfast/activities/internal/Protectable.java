package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.workflows.internal.FencedMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks, before anything is claimed, that this release keeps what a fenced method declares. */
final class Protectable {
  /** A request that nobody bounded: most clients give up by then. */
  private static final Duration USUAL_REQUEST = Duration.ofSeconds(30);

  private Protectable() {}

  /**
   * Refuses what cannot be kept.
   *
   * @throws IllegalArgumentException names the method and the cure
   */
  static void check(FencedActivity activity, HoldfastSettings settings) {
    FencedMethod method = activity.method();
    switch (method.upstream()) {
      case VERIFIABLE -> checkCanBeAsked(method, activity.reconciler());
      case OPAQUE -> checkInFlight(method);
      case SAME_TRANSACTION -> checkEvidence(method);
      case HONOURS_KEY -> checkKeyHorizon(method, settings);
    }
    if (activity.attesting().isDemandedInVain()) {
      throw new IllegalArgumentException(
          named(method)
              + " demands evidence = ATTESTED, but nobody can verify what its upstream signs: give"
              + " the plugin a verifier (addEvidenceVerifier)");
    }
  }

  /**
   * Taken off a key's life: a dispatch starts by the end of a lease at the latest, and its request
   * takes time to arrive.
   */
  static Duration keySlack(FencedMethod method, HoldfastSettings settings) {
    return settings.leaseFor().plus(requestTime(method));
  }

  /** How long a request takes that starts when the key's slack begins, at the longest. */
  static Duration requestTime(FencedMethod method) {
    return method.inFlight().orElse(USUAL_REQUEST);
  }

  private static void checkCanBeAsked(FencedMethod method, @Nullable Reconciles<?> reconciler) {
    if (reconciler == null) {
      throw new IllegalArgumentException(
          named(method)
              + " declares VERIFIABLE, but nobody can be asked what became of its effect: implement"
              + " Reconciles, or give the plugin one (addReconciler)");
    }
    if (!reconciler.upstreamFences() && method.inFlight().isEmpty()) {
      throw new IllegalArgumentException(
          named(method)
              + " declares VERIFIABLE, but no \"did not happen\" could ever be final: declare"
              + " inFlight, or a reconciler whose upstream refuses older tokens (upstreamFences)");
    }
  }

  private static void checkInFlight(FencedMethod method) {
    if (method.inFlight().isEmpty()) {
      throw new IllegalArgumentException(
          named(method)
              + " declares OPAQUE: declare inFlight too, the time after which a request can no"
              + " longer land unseen, or nobody may ever say that it did not");
    }
  }

  private static void checkEvidence(FencedMethod method) {
    if (method.evidence() != EvidenceRule.WITNESSED) {
      throw new IllegalArgumentException(
          named(method)
              + " declares SAME_TRANSACTION with evidence = "
              + method.evidence()
              + ": its commit is the evidence; leave the evidence out");
    }
  }

  private static void checkKeyHorizon(FencedMethod method, HoldfastSettings settings) {
    Duration horizon =
        method
            .keyHorizon()
            .orElseThrow(() -> new IllegalArgumentException(named(method) + " needs a keyHorizon"));
    Duration slack = keySlack(method, settings);
    if (horizon.compareTo(slack) <= 0) {
      throw new IllegalArgumentException(
          named(method)
              + " declares keyHorizon "
              + horizon
              + ", of which nothing is left after the lease and the request ("
              + slack
              + "): declare a shorter inFlight, or give the plugin a shorter lease");
    }
  }

  private static String named(FencedMethod method) {
    return "@Fenced method "
        + method.method().getDeclaringClass().getName()
        + "."
        + method.method().getName();
  }
}
