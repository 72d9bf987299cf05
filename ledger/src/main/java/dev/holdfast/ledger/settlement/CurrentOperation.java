package dev.holdfast.ledger.settlement;

import org.jspecify.annotations.Nullable;

/**
 * All that settlement knows of an operation, loaded and judged under its row lock.
 *
 * @param observer how the reporter of the observation stands to this operation
 * @param otherAttemptOpen whether an attempt other than the observer's is open and was not past its
 *     horizon when the observer's was sent
 * @param settled the effect it was completed with; present when completed
 */
public record CurrentOperation(
    OperationState state,
    Tuple tuple,
    LeaseStanding lease,
    ObserverStanding observer,
    boolean otherAttemptOpen,
    @Nullable SettledEffect settled) {

  public CurrentOperation {
    if ((state == OperationState.IN_PROGRESS) == (lease == LeaseStanding.NONE)) {
      throw new IllegalArgumentException(
          "a lease belongs to an operation in progress, and to no other");
    }
    if (state == OperationState.COMPLETED && settled == null) {
      throw new IllegalArgumentException("a completed operation without its effect");
    }
  }

  boolean wasCompletedBy(Observation.Succeeded success) {
    return settled != null && settled.isOf(success);
  }

  boolean isDeniedBy(Observation.Failed failure) {
    return settled != null && settled.isDeniedBy(failure);
  }
}
