package dev.holdfast.ledger;

/** How a dispatched attempt ended without a verified success. */
public sealed interface AttemptEnd {
  /** The upstream said, definitely, that the effect did not happen and will not. */
  record Failed(SettledFailure failure) implements AttemptEnd {}

  /** The upstream did nothing, this time: a later attempt may do better. */
  record Refused(int status) implements AttemptEnd {}

  /**
   * Nobody can tell whether the effect happened: time-out, exception after dispatch, lost or
   * unverified answer. The attempt stays open; under {@link OpenAttemptRule.ParkWhileOpen} the
   * holder's own operation is parked with it, unless a success is stored: the next claim, or who
   * looks after it, picks that up.
   *
   * @param reason a word, at most 100 characters
   */
  record Unclear(String reason) implements AttemptEnd {
    public Unclear {
      Text.named("the reason", reason, SettledFailure.CODE_LIMIT);
    }
  }
}
