package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.Tuple;

/**
 * A message that somebody sent by itself and that proves nothing.
 *
 * @param claimed the tuple that it bears, which nobody vouches for
 * @param reason one word that says why it proves nothing, of at most 100 characters
 * @param body of the message, so that people find it again
 */
public record UnverifiedDelivery(Tuple claimed, String reason, Sha256 body) {
  private static final int LONGEST_REASON = 100;

  public UnverifiedDelivery {
    if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
      throw new IllegalArgumentException("a reason of " + reason.length() + " characters");
    }
  }
}
