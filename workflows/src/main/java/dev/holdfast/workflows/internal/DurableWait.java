package dev.holdfast.workflows.internal;

import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits durably for an operation that only a person can decide: for the signal of whoever decided
 * it, and with looks of its own for the case that nobody sends one.
 *
 * <p>Runs in a detached scope like all of the settlement, and ends all the same when the caller's
 * scope is cancelled: a person may take days.
 */
public final class DurableWait {
  /**
   * Name of the signal that makes a waiting workflow look at once, sent by whoever decided the
   * operation. Has no payload: it says nothing but "look again", and looking in vain does no harm.
   */
  public static final String SIGNAL = "holdfast-look-again";

  /** Balances a history of six events a look against the delay where the signal was lost. */
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);

  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  /** A lease that somebody holds meanwhile is no reason to look more often than this. */
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

  /** How the SDK hands the signal over. */
  public interface Wakes {
    /** Says that it is worth to look now. */
    @SignalMethod(name = SIGNAL)
    void lookAgain();
  }

  private final Wake wake;
  private final CancellationScope caller;
  private Duration pause = FIRST_PAUSE;

  DurableWait(Wake wake, CancellationScope caller) {
    this.wake = wake;
    this.caller = caller;
  }

  /** Ready once a signal comes; taken before a look, so that a signal during it is not lost. */
  Promise<@Nullable Void> woken() {
    return wake.next();
  }

  /**
   * Looks again and again until no person is awaited and no live lease is held.
   *
   * <p>Evidence does not end the first pause: who stored it is about to pick it up, and where a
   * pick-up keeps failing the pauses between its trials grow.
   *
   * @param parked what the last look saw
   * @param woken as it was before that look
   * @param orEvidence whether stored evidence ends it too, which a claim must pick up
   * @throws CanceledFailure the caller's scope was cancelled
   */
  LookedUp untilDecided(
      LookupQuery query, LookedUp parked, Promise<@Nullable Void> woken, boolean orEvidence) {
    LookedUp row = parked;
    Promise<@Nullable Void> signal = woken;
    do {
      boolean early = pause(atMost(pause, row), signal);
      refuseIfCancelled();
      pause = early ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
      signal = wake.next();
      row = look(query).orElse(row);
    } while (isAwaited(row) && !(orEvidence && row.awaitsPickUp()));
    if (!row.awaitsPickUp()) {
      pause = FIRST_PAUSE;
    }
    return row;
  }

  /**
   * Sleeps, whatever is signalled: the signal may be meant for another operation.
   *
   * @throws CanceledFailure the caller's scope was cancelled
   */
  void sleep(Duration span) {
    boolean unused = pause(span, Workflow.newPromise());
    refuseIfCancelled();
  }

  private static boolean isAwaited(LookedUp row) {
    return row.state() == LookedUp.State.PARKED || row.state() == LookedUp.State.IN_PROGRESS;
  }

  /** Runs something that must hear of a cancellation of the caller's scope. */
  <T> T cancellable(Supplier<T> body) {
    CompletablePromise<T> result = Workflow.newPromise();
    CancellationScope scope = Workflow.newCancellationScope(() -> result.complete(body.get()));
    scope.run();
    Promise<@Nullable Void> unused =
        caller
            .getCancellationRequest()
            .thenApply(
                reason -> {
                  scope.cancel(reason);
                  return null;
                });
    return result.get();
  }

  /** One that fails tells nothing, so the operation stands as it was last seen. */
  static Optional<LookedUp> look(LookupQuery query) {
    try {
      return Optional.of(LookupLoop.now(query));
    } catch (ActivityFailure e) {
      Workflow.getLogger(DurableWait.class)
          .warn("the look-up of an operation failed, it will be repeated: {}", e.toString());
      return Optional.empty();
    }
  }

  /** Whether it was ended before its time. */
  private boolean pause(Duration pause, Promise<@Nullable Void> signal) {
    CompletablePromise<@Nullable Void> over = Workflow.newPromise();
    CancellationScope timing =
        Workflow.newCancellationScope(() -> over.completeFrom(Workflow.newTimer(pause)));
    timing.run();
    Promise.anyOf(over, signal, caller.getCancellationRequest()).get();
    boolean early = !over.isCompleted();
    // a timer left running would wake the workflow for nothing, an hour later
    timing.cancel();
    return early;
  }

  private void refuseIfCancelled() {
    if (caller.isCancelRequested()) {
      throw new CanceledFailure("cancelled while it waited for another's outcome");
    }
  }

  private static Duration atMost(Duration pause, LookedUp row) {
    if (row.state() != LookedUp.State.IN_PROGRESS) {
      return pause;
    }
    Duration rest = Duration.ofMillis(row.retryAfterMillis());
    return shorter(pause, rest.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : rest);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
