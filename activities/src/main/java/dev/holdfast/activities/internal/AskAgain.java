package dev.holdfast.activities.internal;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Asks a ledger that is out of reach again. The verbs asked for are idempotent, and a retry by
 * Temporal would have to find out first.
 */
final class AskAgain {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** After its lease is over evidence can still be stored; a network time-out's worth of trying. */
  private static final Duration BEYOND_THE_LEASE = Duration.ofSeconds(1);

  private AskAgain() {}

  /**
   * The first answer, as long as the lease lasts: a success that was seen is witnessed here alone,
   * and until the lease ends the next attempt waits for it anyhow.
   *
   * @throws RuntimeException what the ledger threw last
   */
  static <T> T whileLeased(KeptLease kept, Supplier<T> ask) {
    return ask(ask, () -> isLeased(kept));
  }

  /**
   * The first answer, as long as the lease lasts and somebody waits for the attempt: what is told
   * so costs a question more where it is lost, and no success.
   *
   * @throws RuntimeException what the ledger threw last
   */
  static <T> T whileAwaited(KeptLease kept, Supplier<T> ask) {
    return ask(
        ask,
        () -> !kept.attemptEnds().isPast() && kept.mayBeHeldFor().isPositive() && isLeased(kept));
  }

  private static <T> T ask(Supplier<T> ask, BooleanSupplier worthwhile) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return ask.get();
      } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
        if (!worthwhile.getAsBoolean()) {
          throw e;
        }
      }
      LedgerBorder.await(pause);
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
  }

  private static boolean isLeased(KeptLease kept) {
    return kept.lease().expiry().rest().plus(BEYOND_THE_LEASE).isPositive();
  }
}
