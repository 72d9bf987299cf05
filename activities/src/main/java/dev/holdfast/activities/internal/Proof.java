package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Generation;

/** How an answer proves what it says, beside its status and digest. */
public sealed interface Proof {
  /** The attempt itself received it, over the exchange that it opened. */
  record Seen() implements Proof {}

  /** Its upstream signed the tuple of this very dispatch. */
  record Signed() implements Proof {}

  /**
   * Its upstream truly signed this dispatch, under another binding generation than it was requested
   * under.
   */
  record SignedUnder(Generation generation) implements Proof {}

  /** A signature was demanded, and this is why there is none that counts. */
  record Missing(String reason) implements Proof {}
}
