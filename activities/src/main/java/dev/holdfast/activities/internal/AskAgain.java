package dev.holdfast.activities.internal;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Asks a ledger that is out of reach again, as long as the lease lasts and somebody waits for the
 * attempt. The verbs asked for are idempotent, and a retry by Temporal would have to find out
 * first.
 */
final class AskAgain {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** After its lease is over evidence can still be stored; a network time-out's worth of trying. */
  private static final Duration BEYOND_THE_LEASE = Duration.ofSeconds(1);

  private AskAgain() {}

  /**
   * The first answer.
   *
   * @throws RuntimeException what the ledger threw last
   */
  static <T> T whileHeld(KeptLease kept, Supplier<T> ask) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return ask.get();
      } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
        if (!isWorthwhile(kept)) {
          throw e;
        }
      }
      LedgerBorder.await(pause);
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
  }

  private static boolean isWorthwhile(KeptLease kept) {
    return !kept.attemptEnds().isPast()
        && kept.mayBeHeldFor().isPositive()
        && kept.lease().expiry().rest().plus(BEYOND_THE_LEASE).isPositive();
  }
}
