package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.SettledFailure;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Says the ledger's refusals in the failures that callers see. */
final class Refusals {
  private static final Duration LEAST_JITTER = Duration.ofMillis(50);
  private static final int JITTER_PART = 4;

  private Refusals() {}

  static ApplicationFailure busy(KeyDigest key, Duration retryAfter, AttemptTime time) {
    long most = retryAfter.dividedBy(JITTER_PART).plus(LEAST_JITTER).toMillis();
    Duration jitter = Duration.ofMillis(ThreadLocalRandom.current().nextLong(most));
    return HoldfastFailures.operationBusy(key, time.busyFor(retryAfter.plus(jitter)));
  }

  static ApplicationFailure rejected(KeyDigest key, Claim.Difference difference) {
    return switch (difference) {
      case FINGERPRINT ->
          HoldfastFailures.nonRetryable(
              HoldfastFailures.FINGERPRINT_MISMATCH,
              "fingerprint",
              key,
              "operation #"
                  + key
                  + " is reserved for another request: another request needs another key");
      case GENERATION -> superseded(key, "generation");
      case RESOURCE ->
          HoldfastFailures.nonRetryable(
              HoldfastFailures.RESOURCE_MISMATCH,
              "resource",
              key,
              "operation #" + key + " is reserved on another resource");
    };
  }

  static ApplicationFailure superseded(KeyDigest key, String code) {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.BINDING_SUPERSEDED,
        code,
        key,
        "operation #" + key + " is bound to another generation");
  }

  /**
   * The request was made under an authorization that holds no longer.
   *
   * @param mayHaveHappened whether the effect is done, or may be
   */
  static ApplicationFailure rotated(KeyDigest key, Generation current, boolean mayHaveHappened) {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.BINDING_SUPERSEDED,
        "rotated",
        key,
        "the binding of operation #"
            + key
            + " was rotated to generation "
            + current
            + " since it was requested: "
            + (mayHaveHappened
                ? "what became of it stands, or is still unknown, so do not request the effect anew"
                    + " under another key"
                : "nothing was done, request the effect anew under the current generation"));
  }

  static ApplicationFailure failedBefore(KeyDigest key, SettledFailure failure) {
    return HoldfastFailures.upstreamRejected(key, failure.code(), failure.status());
  }

  static ApplicationFailure conflicted(KeyDigest key) {
    return HoldfastFailures.operationConflicted(key);
  }

  static ApplicationFailure parked(KeyDigest key, String reason) {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.OUTCOME_UNKNOWN,
        reason,
        key,
        "nobody knows whether operation #" + key + " happened: a person must say");
  }

  static ApplicationFailure leasePreempted(KeyDigest key) {
    return HoldfastFailures.retryable(
        HoldfastFailures.LEASE_PREEMPTED,
        "preempted",
        key,
        "another attempt holds a newer token of operation #" + key);
  }

  static ApplicationFailure leaseExpired(KeyDigest key) {
    return HoldfastFailures.retryable(
        HoldfastFailures.LEASE_EXPIRED,
        "expired",
        key,
        "the lease of operation #" + key + " was over before its receipt could be committed");
  }

  static ApplicationFailure refused(KeyDigest key, int status, String code) {
    return HoldfastFailures.retryable(
        HoldfastFailures.UPSTREAM_REFUSED,
        code,
        key,
        "the upstream did nothing for operation #" + key + " (status " + status + ")");
  }

  static ApplicationFailure unverified(KeyDigest key, String reason) {
    return HoldfastFailures.retryable(
        HoldfastFailures.UPSTREAM_UNVERIFIED,
        reason,
        key,
        "the upstream's answer for operation #" + key + " proves nothing: " + reason);
  }

  /** Nobody can tell what became of an earlier attempt: the next one asks again. */
  static ApplicationFailure stillUnknown(KeyDigest key, String reason) {
    return HoldfastFailures.retryable(
        HoldfastFailures.UPSTREAM_UNVERIFIED,
        reason,
        key,
        "whether operation #" + key + " happened is still unknown: " + reason);
  }

  /** A no that comes too early; the question is worth asking again once nothing can land. */
  static ApplicationFailure notFinalYet(KeyDigest key, Duration until, AttemptTime time) {
    return ApplicationFailure.newBuilder()
        .setType(HoldfastFailures.UPSTREAM_UNVERIFIED)
        .setMessage(
            "operation #"
                + key
                + " did not happen so far, but a request of an earlier attempt may still land")
        .setDetails("not_final", key.value(), until.toString())
        .setNextRetryDelay(time.retryAfter(until.plus(LEAST_JITTER)))
        .build();
  }

  /**
   * What the activity threw, as it is; a dispatch that could not begin becomes the lease's failure.
   */
  static RuntimeException thrown(KeyDigest key, Throwable thrown) {
    return switch (thrown) {
      case NotDispatchedException late ->
          HoldfastFailures.retryable(
              HoldfastFailures.LEASE_EXPIRED,
              String.valueOf(late.getMessage()),
              key,
              "operation #" + key + " was not dispatched: " + late.getMessage());
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> Activity.wrap(thrown);
    };
  }

  /**
   * A use that cannot be protected. After the dispatch it would be a lie to say that nothing was
   * done.
   */
  static ApplicationFailure unprotectable(String code, String why) {
    return EffectScope.here()
        .filter(EffectScope::hasDispatched)
        .map(scope -> Vocabulary.keyDigest(scope.holder().reservation()))
        .map(
            key ->
                HoldfastFailures.nonRetryable(
                    HoldfastFailures.UPSTREAM_UNVERIFIED,
                    code,
                    key,
                    why + "; operation #" + key + " was dispatched, and nothing proves its effect"))
        .orElseGet(() -> HoldfastFailures.notProtectable(code, why));
  }

  static ApplicationFailure contended(KeyDigest key) {
    return HoldfastFailures.retryable(
        HoldfastFailures.SETTLEMENT_CONTENDED,
        "contended",
        key,
        "others kept changing operation #" + key);
  }

  static ApplicationFailure gateClosed(KeyDigest key, Claim.GateClosed closed) {
    String code = closed.reason().name().toLowerCase(Locale.ROOT);
    String required = "required operation " + closed.required();
    return switch (closed.reason()) {
      // a reference is made by a receipt alone, so a ledger without the operation has lost one
      case ABSENT, WENT_BACK ->
          HoldfastFailures.retryable(
              HoldfastFailures.LEDGER_WENT_BACK,
              code,
              key,
              required + " has a receipt that this ledger does not know");
      case OPEN ->
          HoldfastFailures.retryable(
              HoldfastFailures.GATE_CLOSED, code, key, required + " is not completed");
      case FAILED, CONFLICT, MISMATCH ->
          HoldfastFailures.nonRetryable(
              HoldfastFailures.GATE_CLOSED,
              code,
              key,
              required + " is not completed as referred to: " + code);
    };
  }
}
