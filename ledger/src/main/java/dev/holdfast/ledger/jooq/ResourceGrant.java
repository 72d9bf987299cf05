package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import java.time.Instant;
import java.time.ZoneOffset;

/** A shared resource's lease, taken by the transaction under way for one operation. */
record ResourceGrant(long token, Instant expiresAt) {
  void bind(Bindings values) {
    values
        .set(Parameters.FENCING_TOKEN.getName(), token)
        .set(OPERATION.EXPIRES_AT.getName(), expiresAt.atOffset(ZoneOffset.UTC));
  }
}
