package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.OperationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that waits for a person or for a pick-up, as one read saw it.
 *
 * @param parkedReason present where a person must say what happened
 * @param pendingEvidence successes that wait to be picked up by the next claim
 * @param since database time from which on it waits
 */
public record AwaitingOperation(
    Scope scope,
    OperationId operation,
    OperationState state,
    @Nullable String parkedReason,
    Revision revision,
    int openAttempts,
    int pendingEvidence,
    Instant since) {

  /** What an operation may wait for. */
  public enum Cause {
    /** A person must say whether the effect happened. */
    PARKED,
    /** Two truths exist: a person must say which one holds. */
    CONFLICT,
    /** A success is stored and waits for the next claim. */
    EVIDENCE
  }
}
