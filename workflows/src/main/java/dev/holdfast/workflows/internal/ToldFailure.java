package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.Values;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow is told of an operation that has no result: still an activity's failure, whose
 * cause says how the operation stands. A cancellation stays one.
 */
final class ToldFailure {
  /** The code of a failure that an older worker's look-up does not bring along. */
  private static final LookedUp.Failure NOT_TOLD = new LookedUp.Failure("rejected", 0);

  /** Tells a failure of this operation from one of another that the activity passes on. */
  private static final int KEY_DETAIL = 1;

  private final KeyDigest key;

  ToldFailure(KeyDigest key) {
    this.key = key;
  }

  ActivityFailure unknown(ActivityFailure failure) {
    return says(failure, HoldfastFailures.OUTCOME_UNKNOWN)
        ? failure
        : because(failure, HoldfastFailures.outcomeUnknown(key, failure.getCause()));
  }

  ActivityFailure rejected(ActivityFailure failure, LookedUp.@Nullable Failure stored) {
    LookedUp.Failure known = stored == null ? NOT_TOLD : stored;
    return says(failure, HoldfastFailures.UPSTREAM_REJECTED)
        ? failure
        : because(
            failure,
            HoldfastFailures.upstreamRejected(
                key, known.code(), known.status(), failure.getCause()));
  }

  ActivityFailure conflicted(ActivityFailure failure) {
    return says(failure, HoldfastFailures.OPERATION_CONFLICTED)
        ? failure
        : because(failure, HoldfastFailures.operationConflicted(key, failure.getCause()));
  }

  /** Whether it is the worker's own word that a person must decide this operation. */
  boolean isParked(ActivityFailure failure) {
    return failure.getCause() instanceof ApplicationFailure cause
        && cause.getType().equals(HoldfastFailures.OUTCOME_UNKNOWN)
        && isAbout(cause.getDetails());
  }

  private boolean isAbout(Values details) {
    try {
      return details.getSize() > KEY_DETAIL
          && key.value().equals(details.get(KEY_DETAIL, String.class));
    } catch (DataConverterException notOurs) {
      return false;
    }
  }

  static boolean isCancellation(ActivityFailure failure) {
    return failure.getCause() instanceof CanceledFailure;
  }

  /** The same failure for another reason. */
  static ActivityFailure because(ActivityFailure failure, Throwable cause) {
    return new ActivityFailure(
        failure.getOriginalMessage(),
        failure.getScheduledEventId(),
        failure.getStartedEventId(),
        failure.getActivityType(),
        failure.getActivityId(),
        failure.getRetryState(),
        failure.getIdentity(),
        cause);
  }

  private static boolean says(ActivityFailure failure, String type) {
    return isCancellation(failure)
        || (failure.getCause() instanceof ApplicationFailure cause && cause.getType().equals(type));
  }
}
