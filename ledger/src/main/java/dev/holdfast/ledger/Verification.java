package dev.holdfast.ledger;

/** Whether a response may become a receipt. */
public sealed interface Verification {
  /** It may. */
  record Verified(VerifiedResponse response) implements Verification {}

  /**
   * It may not: the outcome is unknown.
   *
   * @param reason a word: {@code status}, {@code digest_missing}, {@code digest_differs}
   */
  record Unverified(String reason) implements Verification {}
}
