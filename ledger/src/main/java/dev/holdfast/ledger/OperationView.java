package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An operation as one read saw it. By the time the caller looks it may have moved: nothing may be
 * decided from it but what the ledger will check again.
 *
 * @param leaseRest what is left of a live lease, else zero
 * @param parkedReason present where a person is awaited
 * @param completion present in {@code completed}, and in {@code conflict} that was completed before
 * @param receiptClaim the claim whose dispatch the receipt was made of: where stored evidence was
 *     picked up, not the claim that it was committed under
 * @param claimOrigin where the last claim came from: of a completed operation, the one that the
 *     receipt was committed under
 * @param result present where {@code completion} is, but left out of an {@link OperationStory} and
 *     of an {@link ActOutcome}
 * @param failure present in {@code failed}
 */
public record OperationView(
    Reservation reservation,
    Epoch epoch,
    OperationState state,
    Revision revision,
    FencingToken token,
    int openAttempts,
    int pendingEvidence,
    Duration leaseRest,
    @Nullable String parkedReason,
    @Nullable Completion completion,
    @Nullable ClaimId receiptClaim,
    AttemptOrigin claimOrigin,
    @Nullable StoredResult result,
    @Nullable SettledFailure failure) {}
