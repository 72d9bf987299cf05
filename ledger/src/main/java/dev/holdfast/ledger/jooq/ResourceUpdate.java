package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.WorkerName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Lets a shared resource's lease follow its operation's. Its row is locked already. */
final class ResourceUpdate {
  private ResourceUpdate() {}

  /** Ends it as its operation's was ended; another holder's is left alone. */
  static void follow(DSLContext transaction, OperationRow before, OperationRow after) {
    Map<Field<?>, Object> values = new LinkedHashMap<>();
    values.put(RESOURCE.EXPIRES_AT, after.expiresAt());
    values.put(RESOURCE.RELEASED, after.released());
    update(
        transaction,
        before.reservation(),
        values,
        RESOURCE
            .FENCING_TOKEN
            .eq(before.token().value())
            .and(RESOURCE.CLAIM_ID.eq(before.claimId().value())));
  }

  /** Takes the free resource, and gives it up, for a claim that dispatches nothing. */
  static void pass(DSLContext transaction, OperationRow picked, WorkerName worker) {
    Map<Field<?>, Object> values = new LinkedHashMap<>();
    values.put(RESOURCE.OPERATION_ID, picked.reservation().operation().text());
    values.put(RESOURCE.FENCING_TOKEN, picked.token().value());
    values.put(RESOURCE.CLAIM_ID, picked.claimId().value());
    values.put(RESOURCE.WORKER, worker.value());
    values.put(RESOURCE.EXPIRES_AT, picked.expiresAt());
    values.put(RESOURCE.RELEASED, picked.released());
    update(
        transaction,
        picked.reservation(),
        values,
        RESOURCE.FENCING_TOKEN.lt(picked.token().value()));
  }

  /** No row where the operation is its own resource; more than one is a bug. */
  private static void update(
      DSLContext transaction,
      Reservation reservation,
      Map<Field<?>, Object> values,
      Condition guard) {
    if (!reservation.resource().isShared()) {
      return;
    }
    int rows =
        transaction
            .update(RESOURCE)
            .set(values)
            .where(RESOURCE.SCOPE.eq(reservation.scope().value()))
            .and(RESOURCE.RESOURCE_ID.eq(reservation.resource().value()))
            .and(guard)
            .execute();
    if (rows > 1) {
      throw new IllegalStateException("one resource was changed " + rows + " times");
    }
  }
}
