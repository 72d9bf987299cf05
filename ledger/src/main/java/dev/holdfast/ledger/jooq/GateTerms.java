package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import dev.holdfast.ledger.jooq.generated.tables.Receipt;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * One required completion within a claim: looked at before any lock, so that a closed gate changes
 * nothing, and again under a shared lock behind the claim's own row, where its newest version
 * decides.
 */
final class GateTerms {
  private final int number;
  private final Operation r = OPERATION.as("r");
  private final Receipt p = RECEIPT.as("p");

  GateTerms(int number) {
    this.number = number;
  }

  /** As the statement's snapshot shows it. */
  CommonTableExpression<?> seen(CommonTableExpression<?> settings) {
    Table<?> row =
        select(
                r.STATE.as(seenState()),
                field(isKnown()).as(seenKnown()),
                field(matches()).as(seenOpen()),
                r.RECEIPT_NUMBER.as(receipt()))
            .from(r)
            .where(key())
            .asTable("foreign_" + number);
    return name("required_" + number)
        .asMaterialized(
            select(row.asterisk()).from(settings).leftOuterJoin(lateral(row)).on(trueCondition()));
  }

  /** Its newest version; the lock keeps it until the claim has committed. */
  CommonTableExpression<?> locked(CommonTableExpression<?> claimed) {
    Table<?> row =
        select(r.STATE.as(lockedState()), field(matches()).as(lockedOpen()))
            .from(r)
            .where(key())
            .forShare()
            .asTable("foreign_" + number);
    return name("locked_" + number)
        .asMaterialized(select(row.asterisk()).from(claimed).crossJoin(lateral(row)));
  }

  /** Whether it lets the claim pass, by that look. */
  Condition wasOpen() {
    return condition(seenOpen()).and(seenKnown());
  }

  /** The receipt that opened it. */
  Field<Long> receipt() {
    return field(column("receipt"), SQLDataType.BIGINT);
  }

  Field<String> seenState() {
    return field(column("seen_state"), SQLDataType.VARCHAR);
  }

  Field<Boolean> seenOpen() {
    return field(column("seen_open"), SQLDataType.BOOLEAN);
  }

  /** Whether the ledger has the receipt that the caller knows. */
  Field<Boolean> seenKnown() {
    return field(column("seen_known"), SQLDataType.BOOLEAN);
  }

  Field<String> lockedState() {
    return field(column("locked_state"), SQLDataType.VARCHAR);
  }

  Field<Boolean> lockedOpen() {
    return field(column("locked_open"), SQLDataType.BOOLEAN);
  }

  void bind(Bindings values, Completion required) {
    values
        .set(of(r.OPERATION_ID), required.operation().text())
        .set(of(r.FINGERPRINT_SCHEME), required.fingerprint().scheme())
        .set(of(r.FINGERPRINT_SHA256), required.fingerprint().digest().bytes())
        .set(of(r.GENERATION), required.generation().value())
        .set(of(r.EPOCH), required.epoch().value())
        .set(of(r.EFFECT_ID), required.effect().value())
        .set(of(p.RECEIPT_NUMBER), required.receipt().value())
        .set(of(p.TIMELINE), required.position().timeline());
  }

  private Condition key() {
    return r.SCOPE.eq(Parameters.SCOPE).and(r.OPERATION_ID.eq(of(r.OPERATION_ID)));
  }

  /**
   * A receipt is never changed or taken back: one that was told to a caller and is not there was
   * lost with a failover or a restored backup, whatever the operation says now. Asked before any
   * lock alone.
   */
  private Condition isKnown() {
    return exists(
        select(inline(1))
            .from(p)
            .where(p.SCOPE.eq(Parameters.SCOPE))
            .and(p.OPERATION_ID.eq(of(r.OPERATION_ID)))
            .and(p.RECEIPT_NUMBER.eq(of(p.RECEIPT_NUMBER)))
            .and(p.TIMELINE.eq(of(p.TIMELINE))));
  }

  private Condition matches() {
    return r.STATE
        .eq(inline("completed"))
        .and(r.FINGERPRINT_SCHEME.eq(of(r.FINGERPRINT_SCHEME)))
        .and(r.FINGERPRINT_SHA256.eq(of(r.FINGERPRINT_SHA256)))
        .and(r.GENERATION.eq(of(r.GENERATION)))
        .and(r.EPOCH.eq(of(r.EPOCH)))
        .and(r.EFFECT_ID.eq(of(r.EFFECT_ID)));
  }

  private Name column(String what) {
    return name("gate_" + number + "_" + what);
  }

  private <T> Param<T> of(Field<T> column) {
    return param("gate_" + number + "_" + column.getName(), column.getDataType());
  }
}
