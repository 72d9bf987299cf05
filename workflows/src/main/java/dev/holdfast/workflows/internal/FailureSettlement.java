package dev.holdfast.workflows.internal;

import dev.holdfast.WhenUnknown;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor.ActivityOutput;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Functions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the ledger what a failed call of a fenced activity means. A time-out, a cancellation
 * or a last attempt's failure, of whatever type, may hide the committed effect of an earlier
 * attempt, so a completed operation overrules it, and one that a person must decide is waited for.
 *
 * <p>Runs in a detached scope and asks with short single look-ups, sleeping in between: a look-up
 * that retried in itself would hold back the cancel request that the activity waits for.
 */
final class FailureSettlement<R> {
  private static final String CHANGE = "holdfast-settlement";

  /** From here on a parked operation is waited for, and failed and conflicting ones are told. */
  private static final int WAITS = 2;

  /** From here on decisions before the first look count, and stored evidence is picked up. */
  private static final int RUNS_AGAIN = 3;

  /**
   * From here on a live lease is waited for a bounded time, and no reference is looked up that
   * nobody wants.
   */
  private static final int BOUNDED = 4;

  /** Outlasts most attempts; a holder that works longer may still complete the operation. */
  private static final Duration LIVE_LEASE = Duration.ofHours(1);

  private final FencedRequest request;
  private final WhenUnknown whenUnknown;
  private final StoredAnswers<R> answers;
  private final DurableWait wait;
  private final boolean wantsReference;
  private final ToldFailure told;

  /**
   * @param wantsReference whether the caller is told more than the value
   */
  FailureSettlement(
      FencedRequest request,
      WhenUnknown whenUnknown,
      StoredAnswers<R> answers,
      DurableWait wait,
      boolean wantsReference) {
    this.request = request;
    this.whenUnknown = whenUnknown;
    this.answers = answers;
    this.wait = wait;
    this.wantsReference = wantsReference;
    this.told = new ToldFailure(request.operation().keyDigest());
  }

  /** One failure, and the version under which its run settles failures. */
  private record Failed(ActivityFailure failure, String activityId, int version) {
    boolean runsAgain() {
      return version >= RUNS_AGAIN;
    }

    boolean isBounded() {
      return version >= BOUNDED;
    }
  }

  /** The value and reference if the operation is completed; else the failure. */
  Promise<SettledAnswer<R>> settle(RuntimeException failure, String activityId) {
    return failure instanceof ActivityFailure activity
        ? detached(() -> settleNow(activity, activityId))
        : Workflow.newFailedPromise(failure);
  }

  /** The value and reference of an activity that succeeded. */
  Promise<SettledAnswer<R>> answer(@Nullable RawValue raw, String activityId) {
    SettledAnswer<R> own = answers.answered(raw);
    return own.metadata() != null
        ? Workflow.newPromise(own)
        : detached(() -> new SettledAnswer<>(own.value(), lookedUpReference(activityId)));
  }

  /** For {@code void} the SDK sends no payload, and so no metadata. */
  private ResultMetadata lookedUpReference(String activityId) {
    return answers.reference(
        LookupLoop.untilDecided(request.query(), LookupLoop.FOR_EVER), activityId);
  }

  private SettledAnswer<R> settleNow(ActivityFailure failure, String activityId) {
    // histories from before Holdfast go on as they did
    int version = Workflow.getVersion(CHANGE, Workflow.DEFAULT_VERSION, BOUNDED);
    if (version == Workflow.DEFAULT_VERSION) {
      throw failure;
    }
    Failed failed = new Failed(failure, activityId, version);
    Promise<@Nullable Void> woken = wait.woken();
    LookedUp row = lookUp(failed);
    if (version < WAITS) {
      return withoutWaiting(failed, row);
    }
    row = triedAgain(failed, row);
    if (isWaitedFor(failed, row) && waitsFor(failed)) {
      return afterWaiting(failed, waited(failed, row, woken));
    }
    // parked for the worker, and decided before this look
    return failed.runsAgain() && isUndone(row) && waitsFor(failed) && told.isParked(failure)
        ? runAgain(failed)
        : settled(failed, row);
  }

  /**
   * Another execution that left an attempt open may be between two tries. Rows of older workers do
   * not tell whose attempt it was, so that their histories go on as they did.
   */
  private LookedUp triedAgain(Failed failed, LookedUp last) {
    RivalsRetry rival = new RivalsRetry(wait, request.attending());
    LookedUp row = last;
    while (!ToldFailure.isCancellation(failed.failure())
        && row.isLeftOpenByAnother(StoredAnswers.own(failed.activityId()))
        && rival.mayCome()) {
      try {
        row = rival.next(row);
      } catch (CanceledFailure e) {
        throw ToldFailure.because(failed.failure(), e);
      }
      if (row.state() == LookedUp.State.IN_PROGRESS) {
        row = lookUp(failed);
      }
    }
    return row;
  }

  /** A person decides it, or a claim that can be made completes it. */
  private static boolean isWaitedFor(Failed failed, LookedUp row) {
    return row.state() == LookedUp.State.PARKED || (failed.runsAgain() && row.awaitsPickUp());
  }

  private static boolean isUndone(LookedUp row) {
    return row.state() == LookedUp.State.UNKNOWN && row.openAttempts() == 0;
  }

  /** Who is cancelled does not wait for a person. */
  private boolean waitsFor(Failed failed) {
    return whenUnknown == WhenUnknown.WAIT && !ToldFailure.isCancellation(failed.failure());
  }

  private LookedUp waited(Failed failed, LookedUp row, Promise<@Nullable Void> woken) {
    Workflow.getLogger(FailureSettlement.class)
        .warn(
            row.awaitsPickUp()
                ? "operation {} waits for its stored evidence to be picked up"
                : "operation {} waits for a person to decide it",
            request.operation());
    try {
      return wait.untilDecided(request.attending(), row, woken, failed.runsAgain());
    } catch (CanceledFailure e) {
      throw ToldFailure.because(failed.failure(), e);
    }
  }

  private SettledAnswer<R> afterWaiting(Failed failed, LookedUp decided) {
    if (isUndone(decided) || (failed.runsAgain() && decided.awaitsPickUp())) {
      return runAgain(failed);
    }
    // another waiting execution was faster to run it again
    LookedUp row = triedAgain(failed, decided);
    if (isWaitedFor(failed, row)) {
      return afterWaiting(failed, waited(failed, row, wait.woken()));
    }
    return isUndone(row) ? runAgain(failed) : settled(failed, row);
  }

  private SettledAnswer<R> settled(Failed failed, LookedUp row) {
    ActivityFailure failure = failed.failure();
    return switch (row.state()) {
      case COMPLETED -> answers.read(row, failed.activityId());
      case UNKNOWN -> throw row.openAttempts() > 0 ? told.unknown(failure) : failure;
      case PARKED -> throw told.unknown(failure);
      case FAILED -> throw told.rejected(failure, row.failure());
      case CONFLICT -> throw told.conflicted(failure);
      case ABSENT, OTHER_TUPLE, IN_PROGRESS, WENT_BACK -> throw failure;
    };
  }

  /** What a run decides that began when nothing was waited for yet. */
  private SettledAnswer<R> withoutWaiting(Failed failed, LookedUp row) {
    ActivityFailure failure = failed.failure();
    return switch (row.state()) {
      case COMPLETED -> answers.read(row, failed.activityId());
      case UNKNOWN, PARKED -> throw row.openAttempts() > 0 ? told.unknown(failure) : failure;
      case ABSENT, OTHER_TUPLE, IN_PROGRESS, FAILED, CONFLICT, WENT_BACK -> throw failure;
    };
  }

  /**
   * It did not happen, so it is done now, or a success of it is stored, which the claim completes
   * it with; what fails again is settled again.
   */
  private SettledAnswer<R> runAgain(Failed failed) {
    ActivityOutput<RawValue> output = wait.cancellable(answers::again);
    SettledAnswer<R> own;
    try {
      own = answers.answered(output.getResult().get());
    } catch (ActivityFailure e) {
      return settleNow(e, output.getActivityId());
    }
    return own.metadata() != null || (failed.isBounded() && !wantsReference)
        ? own
        : new SettledAnswer<>(own.value(), lookedUpReference(output.getActivityId()));
  }

  private LookedUp lookUp(Failed failed) {
    try {
      return LookupLoop.untilDecided(
          request.attending(), failed.isBounded() ? LIVE_LEASE : LookupLoop.FOR_EVER);
    } catch (ActivityFailure e) {
      Workflow.getLogger(FailureSettlement.class)
          .error(
              "operation {} could not be looked up, its failure stands: {}",
              request.operation(),
              e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
      throw failed.failure();
    }
  }

  private static <T> Promise<T> detached(Functions.Func<T> body) {
    CompletablePromise<T> result = Workflow.newPromise();
    Workflow.newDetachedCancellationScope(() -> result.completeFrom(Async.function(body))).run();
    return result;
  }
}
