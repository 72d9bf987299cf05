package dev.holdfast.ledger.testbed;

/**
 * One thing that was seen of an operation.
 *
 * @param attempt whose it was, counted from 1; the last one holds the highest token
 * @param effect which one it saw; 0 where it saw none
 */
public record SeenReport(Kind kind, int attempt, int effect) {
  /** Who saw what. */
  public enum Kind {
    /** The attempt's own verified success. */
    SUCCEEDED,
    /** The attempt's own definite no. */
    FAILED,
    /** The attempt's own "nothing done, this time". */
    REFUSED,
    /** The attempt ended and cannot tell; it gives its lease up. */
    UNCLEAR,
    /** Somebody without a claim saw the attempt's effect. */
    WITNESSED,
    /** Somebody without a claim waited in vain. */
    TIMED_OUT,
    /** Somebody without a claim saw a lease that is over. */
    LEASE_EXPIRED,
    /** Somebody without a claim saw the attempt at work. */
    AT_WORK,
    /** A success that bears another tuple. */
    STALE
  }

  boolean seesEffect() {
    return kind == Kind.SUCCEEDED || kind == Kind.WITNESSED;
  }

  /** Whether the attempt itself reports it, under its own claim. */
  public boolean isOwn() {
    return switch (kind) {
      case SUCCEEDED, FAILED, REFUSED, UNCLEAR -> true;
      case WITNESSED, TIMED_OUT, LEASE_EXPIRED, AT_WORK, STALE -> false;
    };
  }

  @Override
  public String toString() {
    return kind + " of " + attempt + (effect == 0 ? "" : " effect " + effect);
  }
}
