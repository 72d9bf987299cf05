package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import java.time.Instant;
import java.time.ZoneOffset;

/** A shared resource's lease, taken by the transaction under way for one operation. */
record ResourceGrant(long token, Instant expiresAt) {
  Bindings bind(Bindings values) {
    return values
        .set(Parameters.FENCING_TOKEN, token)
        .set(OPERATION.EXPIRES_AT, expiresAt.atOffset(ZoneOffset.UTC));
  }
}
