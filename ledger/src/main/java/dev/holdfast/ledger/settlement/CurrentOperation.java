package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that settlement knows of an operation, loaded and judged under its row lock.
 *
 * @param tuple what an observation must bear: the reservation's, in the generation that the policy
 *     asks evidence to carry
 * @param observer how the reporter of the observation stands to this operation
 * @param otherAttemptOpen whether an attempt other than the observer's is open and was not past its
 *     horizon when the observer's was sent
 * @param settled the effect it was completed with; present when completed
 * @param denied attempts of this tuple that are on record as definitely failed, however that was
 *     judged then; the one that a reported success is of must be among them if it is
 */
public record CurrentOperation(
    OperationState state,
    Tuple tuple,
    LeaseStanding lease,
    ObserverStanding observer,
    boolean otherAttemptOpen,
    @Nullable SettledEffect settled,
    Set<ClaimId> denied) {

  public CurrentOperation {
    if ((state == OperationState.IN_PROGRESS) == (lease == LeaseStanding.NONE)) {
      throw new IllegalArgumentException(
          "a lease belongs to an operation in progress, and to no other");
    }
    if (state == OperationState.COMPLETED && settled == null) {
      throw new IllegalArgumentException("a completed operation without its effect");
    }
    denied = Set.copyOf(denied);
  }

  /** One of which no attempt is on record as failed. */
  public CurrentOperation(
      OperationState state,
      Tuple tuple,
      LeaseStanding lease,
      ObserverStanding observer,
      boolean otherAttemptOpen,
      @Nullable SettledEffect settled) {
    this(state, tuple, lease, observer, otherAttemptOpen, settled, Set.of());
  }

  boolean wasCompletedBy(Observation.Succeeded success) {
    return settled != null && settled.isOf(success);
  }

  /** Whether the attempt that is said to have failed is one that saw the settled effect. */
  boolean isDeniedBy(Observation.Failed failure) {
    return settled != null && settled.isDeniedBy(failure);
  }

  /**
   * Whether the attempt that is said to have succeeded said before that it failed. That is heard
   * once: not where the operation was completed by its success all the same.
   */
  boolean denies(Observation.Succeeded success) {
    return success.attempt() != null
        && denied.contains(success.attempt())
        && (settled == null || !settled.attempts().contains(success.attempt()));
  }
}
