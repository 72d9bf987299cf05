package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.QuarantineListener;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How a ledger uses its database. Immutable.
 *
 * @param schema where its tables are; a plain lower-case name
 * @param commitLevel what a commit waits for before its answer lets anybody act
 * @param networkTimeout the longest that one statement may go without an answer; half the rest of
 *     the lease where that is less
 * @param retries how often a claim or settlement is tried against rivals that keep moving the row
 * @param listener hears of lost answers and of operations that park
 * @param quarantineListener hears of evidence that was set aside
 */
public record LedgerOptions(
    String schema,
    CommitLevel commitLevel,
    Duration networkTimeout,
    int retries,
    LedgerListener listener,
    QuarantineListener quarantineListener) {
  /** 5 s: longer than any healthy commit, short enough to notice a half-open connection. */
  private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(5);

  /** 5: with single statements a second miss is rare already. */
  private static final int RETRIES = 5;

  /** 100 ms: below it a healthy answer would count as lost. */
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  public LedgerOptions {
    if (!NAME.matcher(schema).matches()) {
      throw new IllegalArgumentException("not a plain lower-case schema name");
    }
    // below that the driver reads none, which is for ever
    if (networkTimeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "a network time-out is at least a millisecond: " + networkTimeout);
    }
    if (retries < 1) {
      throw new IllegalArgumentException("at least one try: " + retries);
    }
  }

  /** Schema {@code holdfast}, commits flushed, 5 s, 5 tries, nobody who listens. */
  public static LedgerOptions standard() {
    return new LedgerOptions(
        "holdfast",
        CommitLevel.ON,
        NETWORK_TIMEOUT,
        RETRIES,
        LedgerListener.DEAF,
        new QuarantineLog());
  }

  /** The same in another schema. */
  public LedgerOptions inSchema(String other) {
    return new LedgerOptions(
        other, commitLevel, networkTimeout, retries, listener, quarantineListener);
  }

  /** The same with commits that wait for that much. */
  public LedgerOptions committing(CommitLevel level) {
    return new LedgerOptions(schema, level, networkTimeout, retries, listener, quarantineListener);
  }

  /** The same with another longest wait for an answer. */
  public LedgerOptions answeringWithin(Duration longest) {
    return new LedgerOptions(schema, commitLevel, longest, retries, listener, quarantineListener);
  }

  /** The same, heard by that one instead. */
  public LedgerOptions heardBy(LedgerListener other) {
    return new LedgerOptions(
        schema, commitLevel, networkTimeout, retries, other, quarantineListener);
  }

  /** The same, with somebody else to hear of evidence that was set aside. */
  public LedgerOptions warning(QuarantineListener other) {
    return new LedgerOptions(schema, commitLevel, networkTimeout, retries, listener, other);
  }

  /** How long an answer may take under a lease of which this much is left. */
  Duration patience(Duration leaseRest) {
    Duration half = half(leaseRest);
    if (half.compareTo(SHORTEST) < 0) {
      // storing evidence of a lease that is over has no such bound
      return leaseRest.isPositive() ? SHORTEST : networkTimeout;
    }
    return half.compareTo(networkTimeout) < 0 ? half : networkTimeout;
  }

  /**
   * When no try may begin any more under a lease that runs out then: evidence of one that is over
   * is worth one more answer.
   */
  LocalDeadline lastTry(LocalDeadline expiry) {
    LocalDeadline once = LocalDeadline.after(System.nanoTime(), networkTimeout);
    return expiry.earlier(once).equals(expiry) ? once : expiry;
  }

  /**
   * A lock is waited for half as long as an answer: the database gives up before the caller does.
   */
  static Duration lockTimeout(Duration networkTimeout) {
    return half(networkTimeout);
  }

  /** To the millisecond; a division of Durations goes through decimal numbers. */
  private static Duration half(Duration whole) {
    return Duration.ofMillis(whole.toMillis() / 2);
  }
}
