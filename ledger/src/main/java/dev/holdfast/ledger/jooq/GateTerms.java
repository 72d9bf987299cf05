package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
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

  GateTerms(int number) {
    this.number = number;
  }

  /** As the statement's snapshot shows it. */
  CommonTableExpression<?> seen(CommonTableExpression<?> settings) {
    Table<?> row =
        select(
                r.STATE.as(seenState()),
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
        .set(of(r.EFFECT_ID), required.effect().value());
  }

  private Condition key() {
    return r.SCOPE.eq(Parameters.SCOPE).and(r.OPERATION_ID.eq(of(r.OPERATION_ID)));
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
