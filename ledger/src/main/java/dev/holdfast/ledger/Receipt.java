package dev.holdfast.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * The immutable proof that an effect was verified and recorded under a valid fencing token (seed:
 * the fenced idempotency receipt).
 *
 * @param completion what it proves, with its number
 * @param resource seed: {@code resource_lock_id}
 * @param token seed: {@code monotonic_fencing_token}
 * @param claimId the claim whose holder committed it
 * @param responseDigest seed: {@code upstream_response_sha256}
 * @param committedAt database time at which the lease was judged
 * @param marginLeft what was left of the lease then
 */
public record Receipt(
    Completion completion,
    ResourceId resource,
    FencingToken token,
    ClaimId claimId,
    Sha256 responseDigest,
    Instant committedAt,
    Duration marginLeft) {}
