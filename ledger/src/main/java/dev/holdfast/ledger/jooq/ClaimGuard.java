package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.time.Instant;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * When a claim may take an operation. Over the row as a snapshot shows it, the guard saves a write
 * and explains a refusal; over the newest row, behind the lock, it decides.
 */
final class ClaimGuard {
  static final Field<Boolean> SAME_FINGERPRINT = flag("same_fingerprint");
  static final Field<Boolean> SAME_GENERATION = flag("same_generation");
  static final Field<Boolean> SAME_RESOURCE = flag("same_resource");
  static final Field<Boolean> CLAIMABLE = flag("claimable");
  static final Field<Long> LEASE_LEFT = field(name("lease_left_us"), SQLDataType.BIGINT);
  static final Field<Long> KEY_LEFT = field(name("key_left_us"), SQLDataType.BIGINT);
  static final Field<String> STATE = Parameters.column(OPERATION.STATE);

  private static final Operation O = OPERATION.as("o");

  /** Whose lease it is about. */
  enum LeaseOf {
    /** The operation's own. */
    OPERATION,
    /** A shared resource's, which is judged by its own row. */
    RESOURCE_ASKED,
    /** A shared resource's, which this transaction has taken under a new token. */
    RESOURCE_TAKEN
  }

  private final LeaseOf leaseOf;
  private final PostgresClock clock;

  ClaimGuard(LeaseOf leaseOf, PostgresClock clock) {
    this.leaseOf = leaseOf;
    this.clock = clock;
  }

  /** One row in any case; its columns are null where nobody claimed the operation. */
  CommonTableExpression<?> seen(CommonTableExpression<?> settings) {
    Table<?> existing =
        select(SeenOperation.COLUMNS)
            .select(
                field(sameFingerprint(O)).as(SAME_FINGERPRINT),
                field(O.GENERATION.eq(Parameters.GENERATION)).as(SAME_GENERATION),
                field(O.RESOURCE_ID.eq(Parameters.RESOURCE_ID)).as(SAME_RESOURCE),
                field(isClaimable(O)).as(CLAIMABLE),
                clock.microsLeft(O.EXPIRES_AT, clock.now()).as(LEASE_LEFT),
                keyLeft(O).as(KEY_LEFT))
            .from(O)
            .where(O.SCOPE.eq(Parameters.SCOPE))
            .and(O.OPERATION_ID.eq(Parameters.OPERATION_ID))
            .asTable("existing");
    return name("seen")
        .asMaterialized(
            select(existing.asterisk())
                .from(settings)
                .leftOuterJoin(lateral(existing))
                .on(trueCondition()));
  }

  /** In what was seen, by bare names: nobody claimed it, or the guard lets the claim pass. */
  static Condition wasClaimable() {
    return STATE.isNull().or(CLAIMABLE);
  }

  Condition isClaimable(Operation row) {
    return sameFingerprint(row)
        .and(row.GENERATION.eq(Parameters.GENERATION))
        .and(row.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
        .and(row.CLAIM_ID.ne(Parameters.CLAIM_ID))
        .and(isFree(row))
        .and(row.PENDING_EVIDENCE.eq(inline(0)))
        .and(row.PARKED_REASON.isNull())
        .and(
            row.OPEN_ATTEMPTS
                .eq(inline(0))
                .or(ClaimTerms.WHILE_OPEN)
                .or(keyForgotten(row).gt(clock.now())));
  }

  private Condition isFree(Operation row) {
    Condition unknown = row.STATE.eq(inline("unknown"));
    Condition inProgress = row.STATE.eq(inline("in_progress"));
    return switch (leaseOf) {
      case OPERATION -> unknown.or(inProgress.and(row.EXPIRES_AT.le(clock.now())));
      case RESOURCE_ASKED -> unknown.or(inProgress);
      case RESOURCE_TAKEN ->
          unknown.or(inProgress).and(row.FENCING_TOKEN.lt(Parameters.FENCING_TOKEN));
    };
  }

  /** How long the upstream surely still knows the key, in microseconds; null without a key. */
  Field<Long> keyLeft(Operation row) {
    return clock.microsLeft(keyForgotten(row), clock.now());
  }

  private Field<Instant> keyForgotten(Operation row) {
    return clock.after(row.FIRST_CLAIMED_AT, ClaimTerms.KEY_USABLE);
  }

  private static Condition sameFingerprint(Operation row) {
    return row.FINGERPRINT_SCHEME
        .eq(Parameters.FINGERPRINT_SCHEME)
        .and(row.FINGERPRINT_SHA256.eq(Parameters.FINGERPRINT_SHA256));
  }

  private static Field<Boolean> flag(String column) {
    return field(name(column), SQLDataType.BOOLEAN);
  }
}
