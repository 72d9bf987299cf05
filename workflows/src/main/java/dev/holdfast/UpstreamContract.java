package dev.holdfast;

/**
 * What the upstream can do about a request whose outcome nobody saw. It decides what the next
 * attempt may do after a crash or an unclear answer, so there is no default.
 */
public enum UpstreamContract {
  /**
   * Effect and receipt are one commit in the ledger's own database: exactly once. A rollback means
   * that nothing was done.
   */
  SAME_TRANSACTION,

  /**
   * The upstream carries out one effect per idempotency key while it remembers the key: the next
   * attempt sends again with the same key. Needs {@link Fenced#keyHorizon()}.
   */
  HONOURS_KEY,

  /**
   * The upstream can be asked whether the effect happened, and its <em>no</em> is final: the next
   * attempt asks before it sends.
   */
  VERIFIABLE,

  /** The upstream can do neither: at most one dispatch for each decision of a person. */
  OPAQUE
}
