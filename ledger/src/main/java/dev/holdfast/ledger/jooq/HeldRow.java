package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;

import dev.holdfast.ledger.jooq.generated.tables.Operation;
import dev.holdfast.ledger.jooq.generated.tables.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * The rows that a holder's statement locks, and the judgement above the lock: a predicate on time
 * beside the lock would be judged before the wait. A shared resource's row comes first, always.
 */
final class HeldRow {
  static final Field<Instant> JUDGED_AT = field(name("judged_at"), SQLDataType.INSTANT);
  static final Field<Instant> LEASE_END = field(name("lease_end"), SQLDataType.INSTANT);
  static final Field<Instant> COMMITTED_AT = field(name("committed_at"), SQLDataType.INSTANT);

  static final Operation O = OPERATION.as("o");
  static final Resource R = RESOURCE.as("r");

  /** Which rows make up the lease. */
  enum LeaseRows {
    /** The operation's alone. */
    OWN,
    /** The shared resource's and the operation's. */
    SHARED
  }

  /** How a locked row is met. */
  enum WhenLocked {
    WAIT,
    SKIP
  }

  private final LeaseRows rows;
  private final WhenLocked whenLocked;
  private final PostgresClock clock;

  HeldRow(LeaseRows rows, WhenLocked whenLocked, PostgresClock clock) {
    this.rows = rows;
    this.whenLocked = whenLocked;
    this.clock = clock;
  }

  /**
   * Locks the rows of the holder.
   *
   * @param guard what the operation's row must say besides its key, token and claim id
   * @param columns of the operation, for the steps above
   */
  List<CommonTableExpression<?>> locked(
      CommonTableExpression<?> settings, Condition guard, List<Field<?>> columns) {
    List<CommonTableExpression<?>> parts = new ArrayList<>(List.of(settings));
    CommonTableExpression<?> before = settings;
    if (rows == LeaseRows.SHARED) {
      before = resource(settings);
      parts.add(before);
    }
    Field<Instant> expiry =
        rows == LeaseRows.SHARED
            ? least(field(name("resource_expires_at"), SQLDataType.INSTANT), O.EXPIRES_AT)
            : O.EXPIRES_AT;
    List<SelectFieldOrAsterisk> selected = new ArrayList<>(columns);
    selected.add(expiry.as(LEASE_END));
    Table<?> row = lock(select(selected).from(O).where(key()).and(guard)).asTable("held_row");
    parts.add(
        name("held")
            .asMaterialized(
                select(StatementSettings.LEVEL, row.asterisk())
                    .from(before)
                    .crossJoin(lateral(row))));
    parts.add(judged(parts.getLast()));
    return parts;
  }

  private CommonTableExpression<?> resource(CommonTableExpression<?> settings) {
    Table<?> row =
        lock(select(R.EXPIRES_AT.as("resource_expires_at"))
                .from(R)
                .where(R.SCOPE.eq(Parameters.SCOPE))
                .and(R.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
                .and(R.FENCING_TOKEN.eq(Parameters.FENCING_TOKEN))
                .and(R.CLAIM_ID.eq(Parameters.CLAIM_ID))
                .and(R.RELEASED.eq(inline(false))))
            .asTable("resource_row");
    return name("resource_held")
        .asMaterialized(
            select(StatementSettings.LEVEL, row.asterisk()).from(settings).crossJoin(lateral(row)));
  }

  private CommonTableExpression<?> judged(CommonTableExpression<?> held) {
    CommonTableExpression<?> read =
        name("judged")
            .asMaterialized(select(held.asterisk(), clock.now().as(JUDGED_AT)).from(held));
    return read;
  }

  /** What is left of the lease, by the one reading of the clock. */
  Field<Long> leaseLeft() {
    return clock.microsLeft(LEASE_END, JUDGED_AT);
  }

  static Condition key() {
    return O.SCOPE
        .eq(Parameters.SCOPE)
        .and(O.OPERATION_ID.eq(Parameters.OPERATION_ID))
        .and(O.FENCING_TOKEN.eq(Parameters.FENCING_TOKEN))
        .and(O.CLAIM_ID.eq(Parameters.CLAIM_ID));
  }

  /** By key, never by row address: behind a renewal the locked version is not in the snapshot. */
  static Condition sameRow() {
    return O.SCOPE.eq(Parameters.SCOPE).and(O.OPERATION_ID.eq(Parameters.OPERATION_ID));
  }

  /** The shared resource's row, where the operation's was given up. */
  CommonTableExpression<?> resourceGivenUp(CommonTableExpression<?> givenUp) {
    return name("resource_given_up")
        .as(
            update(R)
                .set(R.RELEASED, inline(true))
                .from(givenUp)
                .where(sameResource())
                .returningResult(R.RELEASED));
  }

  /** The shared resource's row, where the operation's is prolonged. */
  CommonTableExpression<?> resourceProlonged(
      CommonTableExpression<?> alive, Field<Double> seconds) {
    return name("resource_prolonged")
        .as(
            update(R)
                .set(R.EXPIRES_AT, greatest(R.EXPIRES_AT, clock.after(JUDGED_AT, seconds)))
                .from(alive)
                .where(sameResource())
                .returningResult(R.EXPIRES_AT));
  }

  private static Condition sameResource() {
    return R.SCOPE.eq(Parameters.SCOPE).and(R.RESOURCE_ID.eq(Parameters.RESOURCE_ID));
  }

  private Select<?> lock(SelectConditionStep<?> row) {
    return switch (whenLocked) {
      case WAIT -> row.forUpdate();
      case SKIP -> row.forUpdate().skipLocked();
    };
  }
}
