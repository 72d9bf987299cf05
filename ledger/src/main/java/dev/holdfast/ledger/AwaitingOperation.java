package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.OperationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that waits for a person or for a pick-up, as one read saw it.
 *
 * @param parkedReason present where a person must say what happened
 * @param pendingEvidence successes that wait to be picked up by the next claim
 * @param setAside successes that were quarantined and may be effects that count for nothing, and
 *     that no person's act has followed
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
    int setAside,
    Instant since) {

  /** What an operation may wait for. */
  public enum Cause {
    /** A person must say whether the effect happened. */
    PARKED,
    /** Two truths exist: a person must say which one holds. */
    CONFLICT,
    /** A success is stored and waits for the next claim. */
    EVIDENCE,
    /**
     * A success bears another tuple, so that it was set aside: an effect that counts for nothing,
     * or a second one, of an execution or generation before. Any act of a person's after it ends
     * the wait; of a completed operation {@link Decision.ReceiptStands} says no more than that.
     */
    QUARANTINE
  }
}
