package dev.holdfast.ledger;

import java.time.Duration;

/** What reporting a {@link Finding} answers. */
public sealed interface ReconcileOutcome {
  /** It happened: settled as any success is. */
  record Settled(SettleOutcome outcome) implements ReconcileOutcome {}

  /**
   * It did not happen, for good: every older attempt is closed, and the lease goes on as one that
   * may dispatch.
   */
  record MayDispatch(UndispatchedLease lease) implements ReconcileOutcome {}

  /**
   * An older attempt may still have its effect: the lease was given back.
   *
   * @param until how long the latest horizon is away; zero where it passed while the question was
   *     asked
   */
  record NotFinalYet(Duration until) implements ReconcileOutcome {}

  /** The lease was given back, and a person must say what happened. */
  record Parked(String reason) implements ReconcileOutcome {}

  /** Evidence was stored meanwhile; the lease was given back, and a fresh claim picks it up. */
  record ClaimAgain() implements ReconcileOutcome {}

  /** The lease was given back; the next attempt asks again. */
  record GivenBack() implements ReconcileOutcome {}

  /**
   * The lease is over, or another claim's. The finding changed nothing but this: the asking
   * attempt, which dispatched nothing, is closed.
   */
  record Lost() implements ReconcileOutcome {}

  /** Too little of the lease is left, and nothing was stored: renew once, again. */
  record MarginTooThin(Duration left) implements ReconcileOutcome {}

  /** Rivals kept moving the row; nothing was stored. */
  record Contended() implements ReconcileOutcome {}
}
