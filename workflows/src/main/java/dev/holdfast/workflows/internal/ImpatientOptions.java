package dev.holdfast.workflows.internal;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.unsafe.WorkflowUnsafe;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Warns of options under which a call cannot outlast the lease of an attempt that died: it would
 * end as {@code OperationBusy} though nobody works on the operation. Never a failure: a workflow
 * that began with such options must replay.
 */
final class ImpatientOptions {
  /** One warning per activity type and process; there are as many types as fenced methods. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private final LeaseTimes times;

  ImpatientOptions(LeaseTimes times) {
    this.times = times;
  }

  /** Warns at most once of this activity, and not while a workflow is replayed. */
  void warnOf(String activityType, ActivityOptions options) {
    if (WorkflowUnsafe.isReplaying()) {
      return;
    }
    Optional<String> why = whyTooShort(options);
    if (why.isPresent() && WARNED.add(activityType)) {
      Workflow.getLogger(ImpatientOptions.class)
          .warn(
              "activity {} cannot outlast the lease of an attempt that died ({}), it will fail as"
                  + " OperationBusy: {}",
              activityType,
              times.lease(),
              why.get());
    }
  }

  /** What in the options ends a call before a lease does that nobody renews; empty if nothing. */
  Optional<String> whyTooShort(ActivityOptions options) {
    Duration inAll = options.getScheduleToCloseTimeout();
    if (isSet(inAll) && inAll.compareTo(times.lease()) <= 0) {
      return Optional.of("its schedule-to-close time-out is " + inAll);
    }
    RetryOptions retries = options.getRetryOptions();
    boolean once = retries != null && retries.getMaximumAttempts() == 1;
    return once && waitInPlace(options).compareTo(times.lease()) < 0
        ? Optional.of("its maximumAttempts is 1")
        : Optional.empty();
  }

  /** As the worker waits: never longer than half of an attempt. */
  private Duration waitInPlace(ActivityOptions options) {
    Duration attempt = options.getStartToCloseTimeout();
    Duration half = isSet(attempt) ? attempt.dividedBy(2) : times.waitInPlace();
    return half.compareTo(times.waitInPlace()) < 0 ? half : times.waitInPlace();
  }

  private static boolean isSet(@Nullable Duration span) {
    return span != null && span.isPositive();
  }
}
