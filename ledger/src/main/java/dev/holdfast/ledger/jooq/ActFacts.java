package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a person's act is judged by, loaded under the operation's lock.
 *
 * @param claimId the act's own claim
 * @param open attempts of the epoch whose fate nobody knows, the current one included, by the
 *     histories
 * @param known every attempt of the epoch
 * @param stored successes that wait to be picked up
 * @param denied those of their attempts that are on record as failed
 * @param setAside successes that were quarantined and that no act has followed
 */
record ActFacts(
    LockedOperation operation,
    ClaimId claimId,
    List<Open> open,
    List<ClaimId> known,
    List<SuccessEvidence> stored,
    Set<ClaimId> denied,
    int setAside) {

  /** An open attempt and the instant from which on its request cannot land any more. */
  record Open(ClaimId claimId, Instant horizon) {}

  OperationRow row() {
    return operation.row();
  }

  boolean isOpen(ClaimId claim) {
    return open.stream().anyMatch(attempt -> attempt.claimId().equals(claim));
  }

  /**
   * The last instant at which a request of an open attempt may land; empty where it was past when
   * the person looked.
   *
   * @param lookedAt null where that is now; nobody has looked later
   */
  Optional<Instant> horizonAhead(@Nullable Instant lookedAt) {
    Instant now = row().judgedAt();
    Instant looked = lookedAt == null || lookedAt.isAfter(now) ? now : lookedAt;
    return open.stream()
        .map(Open::horizon)
        .max(Comparator.naturalOrder())
        .filter(horizon -> horizon.isAfter(looked));
  }
}
