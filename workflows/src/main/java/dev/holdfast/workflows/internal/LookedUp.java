package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.holdfast.OperationRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an operation stands, as one small row. Stays in histories that older and newer workers
 * replay: members may be added, and unknown ones are skipped.
 *
 * @param state see {@link State}
 * @param openAttempts attempts that may have dispatched and whose outcome nobody saw
 * @param retryAfterMillis with {@code IN_PROGRESS}: the rest of the lease; else 0
 * @param ref with {@code COMPLETED}: the completion
 * @param committedBy with {@code COMPLETED}: whose effect the receipt is of, where an activity had
 *     it
 * @param resultKind with {@code COMPLETED}: what is stored
 * @param result with {@code VALUE} or {@code NULL}: the payload
 * @param failure with {@code FAILED}: what the upstream said
 * @param pendingEvidence successes that are stored and wait for a claim to pick them up; null where
 *     an older worker looked, and not a primitive because strict mappers refuse an absent one
 * @param lastAttempt while it is open: who made the last attempt; null where that was no activity
 *     of a workflow, and where an older worker looked
 * @param revision while it is open: rises with whatever is done to the operation; null where an
 *     older worker looked
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LookedUp(
    State state,
    int openAttempts,
    long retryAfterMillis,
    @Nullable OperationRef ref,
    @Nullable ActivityIdentity committedBy,
    ResultKind resultKind,
    @Nullable StoredPayload result,
    @Nullable Failure failure,
    @Nullable Integer pendingEvidence,
    @Nullable ActivityIdentity lastAttempt,
    @Nullable Long revision) {

  /** An operation that has neither a completion nor a failure to tell. */
  public static LookedUp open(State state, int openAttempts, long retryAfterMillis) {
    return new LookedUp(
        state,
        openAttempts,
        retryAfterMillis,
        null,
        null,
        ResultKind.NONE,
        null,
        null,
        null,
        null,
        null);
  }

  /** The same operation with this many successes stored. */
  public LookedUp withPendingEvidence(int stored) {
    return new LookedUp(
        state,
        openAttempts,
        retryAfterMillis,
        ref,
        committedBy,
        resultKind,
        result,
        failure,
        stored,
        lastAttempt,
        revision);
  }

  /** The same operation, last tried by this one, at this revision. */
  public LookedUp withLastAttempt(@Nullable ActivityIdentity who, long at) {
    return new LookedUp(
        state,
        openAttempts,
        retryAfterMillis,
        ref,
        committedBy,
        resultKind,
        result,
        failure,
        pendingEvidence,
        who,
        at);
  }

  /** Whether an attempt is open, and another activity than this one made the last. */
  boolean isLeftOpenByAnother(ActivityIdentity own) {
    return state == State.UNKNOWN
        && openAttempts > 0
        && lastAttempt != null
        && !lastAttempt.equals(own);
  }

  /** Whether nobody has tried since that row, as far as the two tell. */
  boolean isAsOpenAs(LookedUp before) {
    return state == before.state
        && openAttempts == before.openAttempts
        && Objects.equals(revision, before.revision);
  }

  /** Whether the next claim finds a success to complete it with, and sends nothing. */
  boolean awaitsPickUp() {
    return pendingEvidence != null
        && pendingEvidence > 0
        && (state == State.PARKED || state == State.UNKNOWN);
  }

  /** A definitely failed operation. */
  public static LookedUp failed(Failure failure) {
    return new LookedUp(
        State.FAILED, 0, 0, null, null, ResultKind.NONE, null, failure, null, null, null);
  }

  /** How an operation stands; a dead {@code in_progress} is {@code UNKNOWN}. */
  public enum State {
    /** There is no such operation. */
    ABSENT,
    /** The operation is reserved under another tuple, or the required completion was another. */
    OTHER_TUPLE,
    /** No live lease, no outcome; another attempt may come. */
    UNKNOWN,
    /** Unknown, and waits for a person. */
    PARKED,
    /** A live lease is held. */
    IN_PROGRESS,
    /** Completed, with a receipt. */
    COMPLETED,
    /** Definitely failed. */
    FAILED,
    /** Contradicting outcomes; waits for a person. */
    CONFLICT,
    /** The ledger does not have a receipt that the query names. */
    WENT_BACK
  }

  /** What is stored as the result. */
  public enum ResultKind {
    /** Nothing, because the operation is not completed. */
    NONE,
    /** A value, and it is in the row. */
    VALUE,
    /** The value {@code null}, and its payload is in the row. */
    NULL,
    /** The method returned {@code void}. */
    VOID,
    /** A value too big for the row; the fenced activity's own replay brings it. */
    TOO_LARGE,
    /** A value that could not be stored; only its digest was. */
    NOT_STORED
  }

  /**
   * The upstream's definite no.
   *
   * @param code a word for it
   * @param status the upstream's own status
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Failure(String code, int status) {}

  /** Which activity execution committed a receipt, or made an attempt. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record ActivityIdentity(String workflowId, String runId, String activityId) {}
}
