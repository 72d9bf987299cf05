package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Reservation;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * Asks which attempts are on record with a definite answer of an operation's tuple, so that one
 * that says both is heard in either order. Asked under the row's lock, in a statement after it, and
 * of named attempts alone: a flood of other reports costs nothing.
 */
final class DefiniteRows {
  private final DSLContext transaction;
  private final OperationRow operation;

  DefiniteRows(DSLContext transaction, OperationRow operation) {
    this.transaction = transaction;
    this.operation = operation;
  }

  /** Those of these attempts that reported a definite failure, whatever became of it. */
  Set<ClaimId> denied(Collection<ClaimId> among) {
    return among.isEmpty() ? Set.of() : reported(among, OBSERVATION.KIND.eq("failed"));
  }

  /** Those that saw the effect which the operation was completed with. */
  Set<ClaimId> witnesses(Collection<ClaimId> among) {
    Condition sameEffect =
        OBSERVATION.KIND.eq("succeeded").and(OBSERVATION.EFFECT_ID.eq(operation.effect().value()));
    return among.isEmpty() ? Set.of() : reported(among, sameEffect);
  }

  private Set<ClaimId> reported(Collection<ClaimId> among, Condition what) {
    Reservation reservation = operation.reservation();
    Set<UUID> ids = among.stream().map(ClaimId::value).collect(Collectors.toUnmodifiableSet());
    return transaction
        .selectDistinct(OBSERVATION.CLAIM_ID)
        .from(OBSERVATION)
        .where(OBSERVATION.SCOPE.eq(reservation.scope().value()))
        .and(OBSERVATION.OPERATION_ID.eq(reservation.operation().text()))
        .and(OBSERVATION.CLAIM_ID.in(ids))
        .and(OBSERVATION.GENERATION.eq(reservation.generation().value()))
        .and(OBSERVATION.EPOCH.eq(operation.epoch().value()))
        .and(OBSERVATION.FINGERPRINT_SCHEME.eq(reservation.fingerprint().scheme()))
        .and(OBSERVATION.FINGERPRINT_SHA256.eq(reservation.fingerprint().digest().bytes()))
        .and(OBSERVATION.DISPOSITION.ne("quarantined"))
        .and(what)
        .fetchSet(row -> new ClaimId(Objects.requireNonNull(row.value1(), "claim_id")));
  }
}
