package dev.holdfast.activities.internal;

import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lease that the keeper renews while its effect runs, as far as this process can tell. It refuses
 * to start work too late and proves nothing: the ledger judges. Safe for use by several threads.
 */
public final class KeptLease {
  private static final int MISSES_UNTIL_LOST = 2;

  private final HeldLease lease;
  private final LeaseMargin margin;
  private final LocalDeadline holdUntil;
  private final LocalDeadline attemptEnds;
  private final List<Runnable> callbacks = new ArrayList<>();
  private int misses;
  private boolean lost;
  private boolean settling;
  private boolean ended;

  KeptLease(
      HeldLease lease, LeaseMargin margin, LocalDeadline holdUntil, LocalDeadline attemptEnds) {
    this.lease = lease;
    this.margin = margin;
    this.holdUntil = holdUntil;
    this.attemptEnds = attemptEnds;
    callbacks.add(() -> Transitions.lost(lease));
  }

  HeldLease lease() {
    return lease;
  }

  /** Whether the lease, less its margin, should last that long. */
  public synchronized boolean isGoodFor(Duration duration) {
    return !lost && lease.expiry().rest().minus(margin.value()).compareTo(duration) > 0;
  }

  /** Until when the keeper may go on holding it, and a dispatch may begin. */
  LocalDeadline holdUntil() {
    return holdUntil;
  }

  /** How long the keeper may go on holding it, whatever the effect does. */
  Duration mayBeHeldFor() {
    return holdUntil.rest();
  }

  /** When Temporal gives the attempt up, though its lease may last longer. */
  LocalDeadline attemptEnds() {
    return attemptEnds;
  }

  /** Runs the callback once the lease is lost; at once if it is. */
  public void onLost(Runnable callback) {
    synchronized (this) {
      if (!lost) {
        callbacks.add(callback);
        return;
      }
    }
    callback.run();
  }

  /**
   * From here on a statement may hold its row: a renewal that misses it says nothing. It is renewed
   * on, because that statement may have to wait and be asked again.
   */
  public synchronized void settling() {
    settling = true;
  }

  /** From here on nothing is done under it that needs it to last. */
  synchronized void ended() {
    settling = true;
    ended = true;
  }

  /** Whether the keeper may renew it: an activity that hangs does not hold it for ever. */
  synchronized boolean mayBeRenewed() {
    return !lost && !ended && !holdUntil.isPast();
  }

  synchronized void renewed() {
    misses = 0;
  }

  /** Counts a renewal that missed it; answers whom to tell when that made it lost. */
  synchronized List<Runnable> missed() {
    if (settling) {
      return List.of();
    }
    misses++;
    return misses < MISSES_UNTIL_LOST ? checkExpiry() : lose();
  }

  /** Answers whom to tell when it ran out by this process's clock. */
  synchronized List<Runnable> checkExpiry() {
    return settling || !lease.expiry().isPast() ? List.of() : lose();
  }

  private List<Runnable> lose() {
    if (lost) {
      return List.of();
    }
    lost = true;
    return List.copyOf(callbacks);
  }
}
