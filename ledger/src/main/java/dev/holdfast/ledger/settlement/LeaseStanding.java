package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.LeaseMargin;
import java.time.Duration;

/** How the operation's lease stands, judged under the row lock by the database's clock. */
public enum LeaseStanding {
  /** Live, and the margin is kept. */
  LIVE,
  /** Live, but less than the margin remains. Only its holder need care. */
  THIN,
  /** Ended by the clock, or the shared resource's row bears another token. */
  OVER,
  /** The operation is not in progress. */
  NONE;

  /** The standing of an operation in progress that still has its resource. */
  public static LeaseStanding judge(Duration rest, LeaseMargin margin) {
    if (!rest.isPositive()) {
      return OVER;
    }
    return margin.isKeptBy(rest) ? LIVE : THIN;
  }
}
