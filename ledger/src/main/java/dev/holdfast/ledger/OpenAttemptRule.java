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
   * @param then what follows once the upstream may have forgotten it
   */
  record SameKeyAgain(Duration keyHorizon, Duration slack, Unsure then) implements OpenAttemptRule {
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

  /** Nothing may be sent before the fate of what is open is known. */
  sealed interface Unsure extends OpenAttemptRule {}

  /** The upstream can be asked: the claim is granted as {@link Claim.Reconcile}. */
  record AskFirst() implements Unsure {}

  /** Nobody but a person can tell: the operation is parked. */
  record ParkWhileOpen() implements Unsure {}
}
