package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Asks again where an answer was lost. Whatever fails later, the first loss is what the caller
 * hears: that "nothing happened" may be true of the second request and is not of the first.
 * Immutable.
 */
final class Again {
  /** Doubled from try to try: long enough together for a quick restart, short beside a lease. */
  private static final Duration PAUSE = Duration.ofMillis(25);

  private final LedgerOptions options;

  Again(LedgerOptions options) {
    this.options = options;
  }

  /**
   * Does the work, and once more where its answer was lost.
   *
   * @param expiry of the lease that it is done under; one that is over bounds nothing but its own
   *     use: evidence is stored all the same
   * @param work safe to repeat
   */
  <T> T idempotent(LocalDeadline expiry, Supplier<T> work) {
    try {
      return work.get();
    } catch (LedgerAnswerLostException lost) {
      return after(lost, expiry, work);
    }
  }

  /** The same under no lease: a network time-out bounds the tries. */
  <T> T unleased(Supplier<T> work) {
    return idempotent(LocalDeadline.after(System.nanoTime(), options.networkTimeout()), work);
  }

  /**
   * Does the work that answers for what was lost.
   *
   * @throws LedgerAnswerLostException the given one, where every try failed as well
   */
  <T> T after(LedgerAnswerLostException lost, LocalDeadline expiry, Supplier<T> work) {
    options.listener().readBack();
    LocalDeadline last = options.lastTry(expiry);
    for (int tried = 1; tried < options.retries() && !last.isPast(); tried++) {
      pause(tried);
      try {
        T answer = work.get();
        LostCommit.tellWhatWasCommitted(lost);
        return answer;
      } catch (LedgerAnswerLostException | LedgerUnavailableException e) {
        lost.addSuppressed(e);
      }
    }
    throw lost;
  }

  /** None before the first: most losses are one connection's. An interrupt waits for later. */
  private static void pause(int tried) {
    if (tried > 1) {
      Duration pause = PAUSE.multipliedBy(1L << tried);
      LedgerConnection.uninterrupted(
          () -> {
            LockSupport.parkNanos(pause.toNanos());
            return true;
          });
    }
  }
}
