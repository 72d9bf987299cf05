package dev.holdfast.activities.evidence;

import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parser;

/** The status in a message that is no answer. */
final class StatusField {
  private static final long LEAST = 100;
  private static final long MOST = 599;

  private StatusField() {}

  static int read(SignedMessage message) {
    if (new Parser(message.lines(MessageSignatureVerifier.STATUS_FIELD)).parseItem()
            instanceof IntegerItem status
        && status.getAsLong() >= LEAST
        && status.getAsLong() <= MOST) {
      return (int) status.getAsLong();
    }
    throw new RefusedException(Refusal.MALFORMED);
  }
}
