package dev.holdfast.activities.internal;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells Temporal that fenced attempts live: while the barrier works nobody else can, and an effect
 * that takes its time need not. What Temporal answers (cancelled, nobody waits for it any more)
 * reaches the activity by its cancellation token and its own next heartbeat.
 */
final class Heartbeats {
  /** Twice within what the SDK holds back, so that none of its own comes too late. */
  private static final int BEATS_PER_TIMEOUT = 3;

  private static final Duration SHORTEST_PERIOD = Duration.ofMillis(10);

  /** A heartbeat that hangs at a server out of reach holds few others up. */
  private static final int THREADS = 4;

  private static final long IDLE_SECONDS = 10;

  private final Duration leaseFor;
  private final ScheduledThreadPoolExecutor threads;

  Heartbeats(Duration leaseFor) {
    this.leaseFor = leaseFor;
    this.threads = new ScheduledThreadPoolExecutor(THREADS, Aside.daemons("holdfast-heartbeat"));
    threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    threads.allowCoreThreadTimeOut(true);
    threads.setRemoveOnCancelPolicy(true);
  }

  /** Heartbeats for this attempt until that is closed. */
  Beating start(SynchronousContext context) {
    return new Beating(context, schedule(context));
  }

  private @Nullable Future<?> schedule(SynchronousContext context) {
    long period = period(context.getInfo().getHeartbeatTimeout(), leaseFor).toMillis();
    try {
      return threads.scheduleWithFixedDelay(
          () -> beat(context), period, period, TimeUnit.MILLISECONDS);
    } catch (Error e) {
      // no thread could be made: the attempt goes on, and its next one finds out
      Transitions.heartbeatFailed(e);
      return null;
    }
  }

  private static void beat(SynchronousContext context) {
    if (!context.heartbeatAside()) {
      throw new CancellationException("the attempt is over");
    }
  }

  /** As often as a heartbeat time-out asks for, and as often as leases are renewed without one. */
  static Duration period(Duration heartbeatTimeout, Duration leaseFor) {
    Duration shortest =
        heartbeatTimeout.isPositive() && heartbeatTimeout.compareTo(leaseFor) < 0
            ? heartbeatTimeout
            : leaseFor;
    Duration period = shortest.dividedBy(BEATS_PER_TIMEOUT);
    return period.compareTo(SHORTEST_PERIOD) > 0 ? period : SHORTEST_PERIOD;
  }

  /** The heartbeats of one attempt. */
  static final class Beating implements AutoCloseable {
    private final SynchronousContext context;
    private final @Nullable Future<?> beats;

    private Beating(SynchronousContext context, @Nullable Future<?> beats) {
      this.context = context;
      this.beats = beats;
    }

    /** When this returns no heartbeat is under way, and none comes any more. */
    @Override
    public void close() {
      if (beats != null) {
        beats.cancel(false);
      }
      context.end();
    }
  }
}
