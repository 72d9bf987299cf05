package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;

/** How far the effect of one attempt came, and what its upstream answered. */
sealed interface DispatchState {
  /** A word for the reason where nobody saw an answer. */
  String NO_ANSWER = "no_answer";

  /** Words for the reason where a no says nothing of what was done beside it. */
  String REJECTED_BESIDE_EFFECT = "rejected_beside_effect";

  String REFUSED_BESIDE_EFFECT = "refused_beside_effect";

  /** Nothing was dispatched. */
  record Undispatched() implements DispatchState {}

  /** Past the point of no return. */
  sealed interface Dispatched extends DispatchState {
    Lease lease();
  }

  /** The method itself is the effect, and dispatched nothing beside it. */
  record MethodAlone(Lease lease) implements Dispatched {}

  /** Nobody saw an answer yet. */
  record Unanswered(Lease lease) implements Dispatched {}

  /**
   * Status and digest were verified.
   *
   * @param amongOthers more than this one was done, so that a no to one is not a no to all
   */
  record Verified(Lease lease, VerifiedResponse response, boolean amongOthers)
      implements Dispatched {
    /** The answer to the only dispatch. */
    Verified(Lease lease, VerifiedResponse response) {
      this(lease, response, false);
    }
  }

  /** An answer came and was not believed; the reason is a word. */
  record Unverified(Lease lease, String reason) implements Dispatched {}

  /** The upstream's definite no. */
  record Rejected(Lease lease, SettledFailure failure) implements Dispatched {}

  /** The upstream did nothing, this time. */
  record Refused(Lease lease, int status) implements Dispatched {}

  /**
   * Of several dispatches some did something, or may have, and others did not; the reason is a
   * word.
   */
  record PartlyDone(Lease lease, String reason) implements Dispatched {}

  /** Effect and receipt were one transaction; anything but a commit was rolled back. */
  record SettledInTransaction(Lease lease, SettleOutcome outcome, StoredResult result)
      implements Dispatched {}
}
