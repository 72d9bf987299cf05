package dev.holdfast;

import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The failures that a caller of a fenced activity can see: stable {@code ApplicationFailure} types,
 * and the one place that builds them.
 *
 * <p>Details are, in this order and as text: a code, the {@link KeyDigest} (empty where no key was
 * found), a delay in ISO-8601 (empty where there is none). Never a payload, never a full key.
 */
public final class HoldfastFailures {
  /** A live lease is held elsewhere; retried when it should be over. */
  public static final String OPERATION_BUSY = "OperationBusy";

  /** The key is reserved for another request. Not retried. */
  public static final String FINGERPRINT_MISMATCH = "FingerprintMismatch";

  /**
   * The binding was rotated since the effect was requested, or the reservation has another
   * generation. Not retried.
   */
  public static final String BINDING_SUPERSEDED = "BindingSuperseded";

  /** The reservation names another resource. Not retried. */
  public static final String RESOURCE_MISMATCH = "ResourceMismatch";

  /** A newer token exists; evidence is stored, the operation was not completed. Retried. */
  public static final String LEASE_PREEMPTED = "LeasePreempted";

  /** The lease ran out before the commit; evidence is stored. Retried. */
  public static final String LEASE_EXPIRED = "LeaseExpired";

  /** Status or digest of the response did not verify. Retried as the contract allows. */
  public static final String UPSTREAM_UNVERIFIED = "UpstreamUnverified";

  /** The upstream refused and did nothing. Retried. */
  public static final String UPSTREAM_REFUSED = "UpstreamRefused";

  /** The upstream's definite no, stored and replayed. Not retried. */
  public static final String UPSTREAM_REJECTED = "UpstreamRejected";

  /** Nobody knows whether the effect happened, and only a person can find out. Not retried. */
  public static final String OUTCOME_UNKNOWN = "OutcomeUnknown";

  /** Contradicting outcomes were reported; waits for a person. Not retried. */
  public static final String OPERATION_CONFLICTED = "OperationConflicted";

  /** Others kept changing the operation while it was being settled. Retried. */
  public static final String SETTLEMENT_CONTENDED = "SettlementContended";

  /** A required operation is not completed. Retried while it may still become so. */
  public static final String GATE_CLOSED = "GateClosed";

  /** A receipt known to the caller is missing in the ledger. */
  public static final String LEDGER_WENT_BACK = "LedgerWentBack";

  /** The ledger could not be reached before the dispatch: nothing was done. Retried. */
  public static final String LEDGER_UNAVAILABLE = "LedgerUnavailable";

  /** The ledger could not be reached after the dispatch. Retried; the retry finds out first. */
  public static final String LEDGER_UNAVAILABLE_AFTER_EFFECT = "LedgerUnavailableAfterEffect";

  /** The effect is committed; its result is too big for Temporal. Not retried. */
  public static final String RESULT_NOT_TRANSPORTABLE = "ResultNotTransportable";

  /** The effect is committed; its stored result cannot be decoded any more. Not retried. */
  public static final String REPLAY_UNDECODABLE = "ReplayUndecodable";

  /** Key, scope, size or fingerprint were refused before anything was stored. Not retried. */
  public static final String INVALID_OPERATION = "InvalidOperation";

  /**
   * A use that cannot be protected: local, asynchronous, dynamic or nested. Not retried, unless
   * another worker may have the annotation that this one lacks.
   */
  public static final String NOT_PROTECTABLE = "NotProtectable";

  private static final String NONE = "";

  private HoldfastFailures() {}

  /** {@link #OPERATION_BUSY}, benign: the retry comes after {@code retryAfter}. */
  public static ApplicationFailure operationBusy(KeyDigest key, Duration retryAfter) {
    return ApplicationFailure.newBuilder()
        .setType(OPERATION_BUSY)
        .setMessage("another attempt holds the lease of operation #" + key)
        .setDetails("live-lease", key.value(), retryAfter.toString())
        .setNextRetryDelay(retryAfter)
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }

  /**
   * A failure of this type that Temporal may retry.
   *
   * @param type one of the constants of this class
   * @param code short stable word for what happened, such as {@code in_progress}
   * @param message says what happened and what cures it; no payload, no key
   */
  public static ApplicationFailure retryable(
      String type, String code, KeyDigest key, String message) {
    return failure(type, code, key.value(), message, false);
  }

  /** A failure of this type that Temporal must not retry; parameters as in {@link #retryable}. */
  public static ApplicationFailure nonRetryable(
      String type, String code, KeyDigest key, String message) {
    return failure(type, code, key.value(), message, true);
  }

  /**
   * {@link #OUTCOME_UNKNOWN}.
   *
   * @param cause the failure behind which the effect may have happened
   */
  public static ApplicationFailure outcomeUnknown(KeyDigest key, @Nullable Throwable cause) {
    return because(
        cause,
        OUTCOME_UNKNOWN,
        "open-attempt",
        key,
        "an attempt of operation #" + key + " may have had its effect, nobody saw");
  }

  /**
   * {@link #UPSTREAM_REJECTED}.
   *
   * @param code the stored word for what the upstream said
   * @param status the upstream's own status
   */
  public static ApplicationFailure upstreamRejected(KeyDigest key, String code, int status) {
    return upstreamRejected(key, code, status, null);
  }

  /**
   * {@link #UPSTREAM_REJECTED}; parameters as above.
   *
   * @param cause the failure that hid it
   */
  public static ApplicationFailure upstreamRejected(
      KeyDigest key, String code, int status, @Nullable Throwable cause) {
    return because(
        cause,
        UPSTREAM_REJECTED,
        code,
        key,
        "the upstream rejected operation #%s (status %d); it is settled as failed"
            .formatted(key, status));
  }

  /** {@link #OPERATION_CONFLICTED}. */
  public static ApplicationFailure operationConflicted(KeyDigest key) {
    return operationConflicted(key, null);
  }

  /**
   * {@link #OPERATION_CONFLICTED}.
   *
   * @param cause the failure that hid it
   */
  public static ApplicationFailure operationConflicted(KeyDigest key, @Nullable Throwable cause) {
    return because(
        cause,
        OPERATION_CONFLICTED,
        "conflict",
        key,
        "contradicting outcomes of operation #%s were reported: a person must resolve it"
            .formatted(key));
  }

  /** {@link #INVALID_OPERATION}: refused before any row existed. */
  public static ApplicationFailure invalidOperation(String code, String message) {
    return failure(INVALID_OPERATION, code, NONE, message, true);
  }

  /** {@link #NOT_PROTECTABLE}: nothing was done. */
  public static ApplicationFailure notProtectable(String code, String message) {
    return failure(NOT_PROTECTABLE, code, NONE, message, true);
  }

  /** {@link #LEDGER_UNAVAILABLE}: nothing was done. */
  public static ApplicationFailure ledgerUnavailable(String code, String message) {
    return failure(LEDGER_UNAVAILABLE, code, NONE, message, false);
  }

  private static ApplicationFailure because(
      @Nullable Throwable cause, String type, String code, KeyDigest key, String message) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setDetails(code, key.value(), NONE)
        .setNonRetryable(true)
        .setCause(cause)
        .build();
  }

  private static ApplicationFailure failure(
      String type, String code, String key, String message, boolean nonRetryable) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setDetails(code, key, NONE)
        .setNonRetryable(nonRetryable)
        .build();
  }
}
