package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Writes that an attempt did nothing, which closes it; its operation's counter is the caller's. */
final class ClosingObservation {
  private ClosingObservation() {}

  /** By its own claim, which sent nothing. */
  static void notDispatched(
      DSLContext transaction, OperationRow row, HeldLease lease, @Nullable String reason) {
    boolean holder = row.token().equals(lease.token()) && row.claimId().equals(lease.claimId());
    Map<Field<?>, @Nullable Object> values =
        closed(Tuple.of(lease.reservation(), lease.epoch()), row);
    values.put(OBSERVATION.OBSERVER, holder ? "holder" : "preempted");
    values.put(OBSERVATION.CLAIM_ID, lease.claimId().value());
    values.put(OBSERVATION.FENCING_TOKEN, lease.token().value());
    values.put(OBSERVATION.KIND, "not_dispatched");
    values.put(OBSERVATION.REASON, reason);
    ObservationInsert.insert(transaction, values);
  }

  /** By a later claim that asked the upstream. */
  static void notHappened(DSLContext transaction, OperationRow row, OpenAttempt attempt) {
    Map<Field<?>, @Nullable Object> values = closed(row.tuple(), row);
    values.put(OBSERVATION.OBSERVER, "reconciler");
    values.put(OBSERVATION.CLAIM_ID, attempt.claimId().value());
    values.put(OBSERVATION.FENCING_TOKEN, attempt.token().value());
    values.put(OBSERVATION.KIND, "not_happened");
    values.put(OBSERVATION.GRADE, "reconciled");
    ObservationInsert.insert(transaction, values);
  }

  private static Map<Field<?>, @Nullable Object> closed(Tuple tuple, OperationRow row) {
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    ObservationInsert.addTuple(values, tuple);
    values.put(OBSERVATION.DISPOSITION, "closed");
    values.put(OBSERVATION.CLOSES_ATTEMPT, true);
    values.put(OBSERVATION.OBSERVED_AT, row.judgedAt());
    return values;
  }
}
