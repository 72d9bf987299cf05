package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.FencingToken;
import java.time.Instant;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Record;

/** The lease of a shared resource, as loaded under its lock. */
record ResourceRow(FencingToken token, ClaimId claimId, Instant expiresAt, boolean released) {

  static ResourceRow of(Record row) {
    return new ResourceRow(
        new FencingToken(get(row, RESOURCE.FENCING_TOKEN)),
        new ClaimId(get(row, RESOURCE.CLAIM_ID)),
        get(row, RESOURCE.EXPIRES_AT),
        get(row, RESOURCE.RELEASED));
  }

  boolean isBorneBy(OperationRow operation) {
    return !released && token.equals(operation.token()) && claimId.equals(operation.claimId());
  }

  boolean isLiveAt(Instant instant) {
    return !released && expiresAt.isAfter(instant);
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
