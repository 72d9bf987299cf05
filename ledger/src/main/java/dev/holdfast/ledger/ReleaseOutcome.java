package dev.holdfast.ledger;

/** What releasing answers. Anything but {@link Released} is harmless: the receipt stands. */
public sealed interface ReleaseOutcome {
  /** The lease is given up; the digest is kept with the operation. */
  record Released(Sha256 releaseDigest) implements ReleaseOutcome {}

  /**
   * The pre-unlock gate refused; the lease is left to run out.
   *
   * @param refusal its word
   */
  record Refused(String refusal) implements ReleaseOutcome {}

  /** The lease was over or another's when the statement looked: nothing to give up. */
  record NotHeld() implements ReleaseOutcome {}
}
