package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import io.temporal.common.converter.RawValue;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Functions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the ledger what a failed call of a fenced activity means. A time-out, a cancellation
 * or a last attempt's failure, of whatever type, may hide the committed effect of an earlier
 * attempt, so a completed operation overrules it.
 *
 * <p>Runs in a detached scope and asks with short single look-ups, sleeping in between: a look-up
 * that retried in itself would hold back the cancel request that the activity waits for.
 */
final class FailureSettlement<R> {
  private static final String CHANGE = "holdfast-settlement";

  private final FencedRequest request;
  private final StoredAnswers<R> answers;

  FailureSettlement(FencedRequest request, StoredAnswers<R> answers) {
    this.request = request;
    this.answers = answers;
  }

  /** The value and reference if the operation is completed; else the failure. */
  Promise<SettledAnswer<R>> settle(RuntimeException failure, String activityId) {
    return failure instanceof ActivityFailure activity
        ? detached(() -> settleNow(activity, activityId))
        : Workflow.newFailedPromise(failure);
  }

  /** The value and reference of an activity that succeeded. */
  Promise<SettledAnswer<R>> answer(@Nullable RawValue raw, String activityId) {
    Optional<ResultMetadata> metadata =
        raw == null ? Optional.empty() : ResultMetadata.readFrom(raw.getPayload());
    R value = raw == null ? null : answers.decode(raw);
    return metadata.isPresent()
        ? Workflow.newPromise(new SettledAnswer<>(value, metadata.get()))
        : detached(() -> new SettledAnswer<>(value, lookedUpReference(activityId)));
  }

  /** For {@code void} the SDK sends no payload, and so no metadata. */
  private ResultMetadata lookedUpReference(String activityId) {
    return answers.reference(LookupLoop.untilDecided(request.query()), activityId);
  }

  private SettledAnswer<R> settleNow(ActivityFailure failure, String activityId) {
    // histories from before Holdfast go on as they did
    if (Workflow.getVersion(CHANGE, Workflow.DEFAULT_VERSION, 1) == Workflow.DEFAULT_VERSION) {
      throw failure;
    }
    LookedUp row = lookUp(failure);
    return switch (row.state()) {
      case COMPLETED -> answers.read(row, activityId);
      case UNKNOWN, PARKED -> throw row.openAttempts() > 0 ? unknown(failure) : failure;
      case ABSENT, OTHER_TUPLE, IN_PROGRESS, FAILED, CONFLICT, WENT_BACK -> throw failure;
    };
  }

  private LookedUp lookUp(ActivityFailure failure) {
    try {
      return LookupLoop.untilDecided(request.query());
    } catch (ActivityFailure e) {
      Workflow.getLogger(FailureSettlement.class)
          .error(
              "operation {} could not be looked up, its failure stands: {}",
              request.operation(),
              e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
      throw failure;
    }
  }

  /** Still an activity's failure for the workflow; a cancellation stays one. */
  private ActivityFailure unknown(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure
        || (failure.getCause() instanceof ApplicationFailure cause
            && cause.getType().equals(HoldfastFailures.OUTCOME_UNKNOWN))) {
      return failure;
    }
    return new ActivityFailure(
        failure.getOriginalMessage(),
        failure.getScheduledEventId(),
        failure.getStartedEventId(),
        failure.getActivityType(),
        failure.getActivityId(),
        failure.getRetryState(),
        failure.getIdentity(),
        HoldfastFailures.outcomeUnknown(request.operation().keyDigest(), failure.getCause()));
  }

  private static <T> Promise<T> detached(Functions.Func<T> body) {
    CompletablePromise<T> result = Workflow.newPromise();
    Workflow.newDetachedCancellationScope(() -> result.completeFrom(Async.function(body))).run();
    return result;
  }
}
