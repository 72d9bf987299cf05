package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.time.Duration;

/**
 * Looks after operations that nobody works on, whoever they are: demotes leases that are over to
 * {@code unknown}, for readers, and picks stored evidence up. It grants nothing and parks nothing.
 * Safety and liveness hold without it, for every claim does the same for its own operation.
 *
 * <p>Any number may sweep one ledger at once: what one of them has locked the others pass over.
 * Safe for use by many threads.
 */
public interface Sweeper {
  /**
   * One bounded batch. Run it again while {@link Swept#isFull} says that there is more.
   *
   * @throws LedgerUnavailableException when the ledger is out of reach; nothing was swept by the
   *     statement that found out
   * @throws LedgerAnswerLostException when nobody knows whether a batch was demoted: sweep again
   */
  Swept sweep(Terms terms);

  /**
   * How far one run goes.
   *
   * @param atMost how many leases it demotes, and how many operations with evidence it looks at
   * @param lookBack only what was claimed since then is looked at for leases that are over; bounds
   *     the reading. Older ones are found by whoever claims them
   * @param policy what happens where two stored successes disagree
   * @param worker who picks evidence up
   */
  record Terms(int atMost, Duration lookBack, SettlementPolicy policy, WorkerName worker) {
    /** 1,000: a batch is one transaction, and its rows stay locked until its end. */
    public static final int LARGEST_BATCH = 1_000;

    public Terms {
      if (atMost < 1 || atMost > LARGEST_BATCH) {
        throw new IllegalArgumentException("a batch holds 1 to " + LARGEST_BATCH + ": " + atMost);
      }
      if (!lookBack.isPositive()) {
        throw new IllegalArgumentException("a look back over no time: " + lookBack);
      }
    }

    /** 100 of what was claimed in the last seven days, conflicts left to a person. */
    public static Terms standard(WorkerName worker) {
      return new Terms(100, Duration.ofDays(7), SettlementPolicy.STANDARD, worker);
    }
  }

  /**
   * What one run did.
   *
   * @param demoted leases that were over
   * @param settled operations whose stored evidence was picked up: completed, or in conflict
   * @param isFull whether a bound was met, so that there may be more
   */
  record Swept(int demoted, int settled, boolean isFull) {}
}
