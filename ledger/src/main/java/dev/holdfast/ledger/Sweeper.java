package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.time.Duration;
import java.util.Map;

/**
 * Looks after operations that nobody works on, whoever they are: demotes leases that are over to
 * {@code unknown}, for readers, parks what only a person can tell about, where the rule of its type
 * is known, and picks stored evidence up. It grants nothing. Safety and liveness hold without it,
 * for every claim does the same for its own operation.
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
   * @param atMost how many operations it demotes or parks, and how many with evidence it looks at
   * @param lookBack only what was claimed since then is looked at for leases that are over, and for
   *     what waits for a person; bounds the reading. Longer than a key lives, or its end is not
   *     seen; at most {@link #LONGEST_LOOK_BACK}. Nothing older is lost: whoever claims it does the
   *     same, and evidence is picked up whatever its age
   * @param policy what happens where two stored successes disagree
   * @param worker who picks evidence up
   * @param rules what open attempts of these types allow; nothing is parked of any other type
   */
  record Terms(
      int atMost,
      Duration lookBack,
      SettlementPolicy policy,
      WorkerName worker,
      Map<OperationType, OpenAttemptRule> rules) {
    /** 1,000: a batch is one transaction, and its rows stay locked until its end. */
    public static final int LARGEST_BATCH = 1_000;

    /** A year: block ranges of so many claims are still read in moments. */
    public static final Duration LONGEST_LOOK_BACK = Duration.ofDays(366);

    /** Seven days: longer than most upstreams remember a key, and than any weekend. */
    public static final Duration LOOK_BACK = Duration.ofDays(7);

    public Terms {
      rules = Map.copyOf(rules);
      if (atMost < 1 || atMost > LARGEST_BATCH) {
        throw new IllegalArgumentException("a batch holds 1 to " + LARGEST_BATCH + ": " + atMost);
      }
      if (!lookBack.isPositive()) {
        throw new IllegalArgumentException("a look back over no time: " + lookBack);
      }
      if (lookBack.compareTo(LONGEST_LOOK_BACK) > 0) {
        throw new IllegalArgumentException("a look back over more than a year: " + lookBack);
      }
    }

    /** Under which nothing is parked. */
    public Terms(int atMost, Duration lookBack, SettlementPolicy policy, WorkerName worker) {
      this(atMost, lookBack, policy, worker, Map.of());
    }

    /** 100 of what was claimed in the last seven days, conflicts left to a person. */
    public static Terms standard(WorkerName worker) {
      return new Terms(100, LOOK_BACK, SettlementPolicy.STANDARD, worker);
    }

    /** The same, looking back that far. */
    public Terms lookingBack(Duration further) {
      return new Terms(atMost, further, policy, worker, rules);
    }

    /** The same, parking by these rules. */
    public Terms parkingBy(Map<OperationType, OpenAttemptRule> these) {
      return new Terms(atMost, lookBack, policy, worker, these);
    }
  }

  /**
   * What one run did.
   *
   * @param demoted leases that were over
   * @param parked operations that wait for a person from now on, some of them demoted
   * @param settled operations whose stored evidence was picked up: completed, or in conflict
   * @param isFull whether a bound was met, so that there may be more
   */
  record Swept(int demoted, int parked, int settled, boolean isFull) {
    /** One that parked nothing. */
    public Swept(int demoted, int settled, boolean isFull) {
      this(demoted, 0, settled, isFull);
    }
  }
}
