package dev.holdfast.ledger;

import java.time.Duration;

/** What a claim may do while earlier attempts are open: what the upstream's contract allows. */
public sealed interface OpenAttemptRule {
  /**
   * The effect is a transaction of the ledger's own database: an attempt without a receipt was
   * rolled back, so the next one may go on.
   */
  record RolledBack() implements OpenAttemptRule {}

  /**
   * The upstream makes one effect per key, so the next attempt sends the same key again, as long as
   * the upstream still knows it.
   *
   * @param keyHorizon how long the upstream remembers a key
   * @param slack taken off: a dispatch takes time to arrive
   */
  record SameKeyAgain(Duration keyHorizon, Duration slack) implements OpenAttemptRule {
    public SameKeyAgain {
      if (keyHorizon.compareTo(slack) <= 0 || slack.isNegative()) {
        throw new IllegalArgumentException(
            "a key horizon of " + keyHorizon + " leaves nothing after a slack of " + slack);
      }
    }

    /** How long after the first claim a dispatch may start. */
    public Duration usable() {
      return keyHorizon.minus(slack);
    }
  }
}
