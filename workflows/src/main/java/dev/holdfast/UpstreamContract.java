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
   * attempt sends again with the same key. Needs {@link Fenced#keyHorizon()}. Once the key may be
   * forgotten it goes on as {@link #VERIFIABLE} where somebody can be asked, else as {@link
   * #OPAQUE}.
   */
  HONOURS_KEY,

  /**
   * The upstream can be asked whether the effect happened, and its <em>no</em> can be made final:
   * the next attempt asks before it sends. Needs a reconciler, and {@link Fenced#inFlight()} unless
   * the upstream refuses older fencing tokens from the question on: then a <em>no</em> counts only
   * for attempts that were past that horizon before the question. A worker without them does not
   * start.
   */
  VERIFIABLE,

  /**
   * The upstream can do neither: at most one dispatch for each decision of a person. While an
   * attempt's outcome is unknown the operation is parked. Needs {@link Fenced#inFlight()}, before
   * which a person's <em>no</em> is not believed either.
   */
  OPAQUE
}
