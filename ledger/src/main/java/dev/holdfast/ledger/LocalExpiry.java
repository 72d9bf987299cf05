package dev.holdfast.ledger;

/**
 * When a lease runs out by this process's pessimistic clock; one for both faces of a lease, so that
 * a renewal under way while the effect is dispatched is seen by its holder.
 */
final class LocalExpiry {
  private volatile LocalDeadline current;

  LocalExpiry(LocalDeadline granted) {
    this.current = granted;
  }

  LocalDeadline current() {
    return current;
  }

  /** Two renewals may answer in the wrong order: the later deadline stays. */
  synchronized void prolong(LocalDeadline renewed) {
    if (current.earlier(renewed).equals(current)) {
      current = renewed;
    }
  }
}
