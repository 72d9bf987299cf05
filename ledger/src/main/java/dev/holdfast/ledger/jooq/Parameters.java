package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;
import java.time.Duration;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The parameters that statements share, named as the columns they are compared with. */
final class Parameters {
  static final Param<String> SCOPE = of(OPERATION.SCOPE);
  static final Param<String> OPERATION_ID = of(OPERATION.OPERATION_ID);
  static final Param<String> FINGERPRINT_SCHEME = of(OPERATION.FINGERPRINT_SCHEME);
  static final Param<byte[]> FINGERPRINT_SHA256 = of(OPERATION.FINGERPRINT_SHA256);
  static final Param<Long> GENERATION = of(OPERATION.GENERATION);
  static final Param<String> RESOURCE_ID = of(OPERATION.RESOURCE_ID);
  static final Param<Integer> EPOCH = of(OPERATION.EPOCH);
  static final Param<Long> REVISION = of(OPERATION.REVISION);
  static final Param<Long> FENCING_TOKEN = of(OPERATION.FENCING_TOKEN);
  static final Param<UUID> CLAIM_ID = of(OPERATION.CLAIM_ID);

  private Parameters() {}

  static <T> Param<T> of(Field<T> column) {
    return DSL.param(column.getName(), column.getDataType());
  }

  /** A column by its bare name, where one part of a statement reads from another. */
  static <T> Field<T> column(Field<T> column) {
    return DSL.field(DSL.name(column.getName()), column.getDataType());
  }

  /** A span of time. */
  static Param<Double> seconds(String what) {
    return DSL.param(what + "_seconds", SQLDataType.DOUBLE);
  }

  static Bindings key(Bindings to, Scope scope, OperationId operation) {
    return to.set(SCOPE, scope.value()).set(OPERATION_ID, operation.text());
  }

  static Bindings reservation(Bindings to, Reservation reservation) {
    return key(to, reservation.scope(), reservation.operation())
        .set(FINGERPRINT_SCHEME, reservation.fingerprint().scheme())
        .set(FINGERPRINT_SHA256, reservation.fingerprint().digest().bytes())
        .set(GENERATION, reservation.generation().value())
        .set(RESOURCE_ID, reservation.resource().value());
  }

  static Bindings holder(Bindings to, FencingToken token, ClaimId claim) {
    return to.set(FENCING_TOKEN, token.value()).set(CLAIM_ID, claim.value());
  }

  static Bindings holder(Bindings to, HeldLease lease) {
    return epoch(
        holder(reservation(to, lease.reservation()), lease.token(), lease.claimId()), lease);
  }

  private static Bindings epoch(Bindings to, HeldLease lease) {
    Epoch epoch = lease.epoch();
    return to.set(EPOCH, epoch.value());
  }

  static Bindings span(Bindings to, String what, Duration span) {
    return to.set(what + "_seconds", PostgresClock.seconds(span));
  }
}
