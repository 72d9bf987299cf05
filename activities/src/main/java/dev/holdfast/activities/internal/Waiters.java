package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Lets few calls of a process wait in place for one lease: each takes an activity's slot, and the
 * activities that want another lease need some too. The others try again later.
 */
final class Waiters {
  /** What the SDK takes where nobody says how many activities run at once. */
  private static final int USUAL_SLOTS = 200;

  /** Those who wait for one lease take no more than this part of the slots. */
  private static final int PART = 4;

  private record Awaited(Scope scope, ResourceId resource) {}

  private final Map<Awaited, Integer> waiting = new HashMap<>();
  private int most = USUAL_SLOTS / PART;

  /**
   * A worker of this process has so many slots.
   *
   * @param slots zero where nobody said
   */
  synchronized void serve(int slots) {
    if (slots > 0) {
      most = Math.max(1, Math.min(most, slots / PART));
    }
  }

  /** What waiting for this lease brings; the other answer where enough calls wait for it. */
  <T> T orElse(T otherwise, Reservation wanted, Supplier<T> waitInPlace) {
    Awaited lease = new Awaited(wanted.scope(), wanted.resource());
    if (!enter(lease)) {
      return otherwise;
    }
    try {
      return waitInPlace.get();
    } finally {
      leave(lease);
    }
  }

  private synchronized boolean enter(Awaited lease) {
    int already = waiting.getOrDefault(lease, 0);
    if (already >= most) {
      return false;
    }
    waiting.put(lease, already + 1);
    return true;
  }

  private synchronized void leave(Awaited lease) {
    if (waiting.merge(lease, -1, Integer::sum) == 0) {
      waiting.remove(lease);
    }
  }
}
