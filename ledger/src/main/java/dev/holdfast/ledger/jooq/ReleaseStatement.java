package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.HeldRow.WhenLocked;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.SQLDataType;

/** Gives up the lease of a committed receipt, and notes that its commit was confirmed. */
final class ReleaseStatement {
  private static final Operation O = HeldRow.O;
  private static final String MARGIN = "margin";
  private static final Field<Long> LEASE_LEFT = field(name("lease_left_us"), SQLDataType.BIGINT);
  private static final Field<Boolean> GIVEN_UP = field(name("given_up_now"), SQLDataType.BOOLEAN);
  private static final Field<Boolean> IN_FUTURE =
      field(name("commit_in_future"), SQLDataType.BOOLEAN);

  private final PostgresClock clock;
  private final HeldRow row;
  private final LeaseRows rows;
  private final ScalarStatement statement;

  /**
   * How the lease stood.
   *
   * @param commitInFuture whether the database's clock went back since the commit
   */
  record Judged(boolean released, boolean commitInFuture, Duration leaseLeft) {}

  ReleaseStatement(LedgerSql sql, LeaseRows rows) {
    this.clock = sql.clock();
    this.rows = rows;
    this.row = new HeldRow(rows, WhenLocked.WAIT, clock);
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.unconfirmed()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Empty where this holder holds nothing that could be given up. */
  Optional<Judged> execute(
      Connection connection, Receipt receipt, LeaseMargin margin, Sha256 digest, Bindings settings)
      throws SQLException {
    Bindings values =
        Parameters.key(settings, receipt.completion().scope(), receipt.completion().operation());
    Parameters.holder(values, receipt.token(), receipt.claimId())
        .set(O.RECEIPT_NUMBER, receipt.completion().receipt().value())
        .set(O.RESOURCE_ID, receipt.resource().value())
        .set(O.RELEASE_SHA256, digest.bytes());
    Parameters.span(values, MARGIN, margin.value());
    return statement.query(connection, values, ReleaseStatement::read);
  }

  private static Judged read(AnswerRow row) throws SQLException {
    return new Judged(row.flag(O.RELEASED), row.flag(IN_FUTURE), row.micros(LEASE_LEFT));
  }

  private Query statement(CommonTableExpression<?> settings) {
    Condition bearsReceipt =
        O.STATE
            .eq(inline("completed"))
            .and(O.RECEIPT_NUMBER.eq(Parameters.of(O.RECEIPT_NUMBER)))
            .and(O.RELEASED.eq(inline(false)));
    List<CommonTableExpression<?>> parts =
        new ArrayList<>(
            row.locked(settings, bearsReceipt, List.of(O.SETTLED_AT.as(HeldRow.COMMITTED_AT))));
    CommonTableExpression<?> judged = parts.getLast();
    CommonTableExpression<?> released = released(judged);
    parts.add(released);
    if (rows == LeaseRows.SHARED) {
      parts.add(row.resourceGivenUp(released));
    }
    return with(parts.toArray(CommonTableExpression<?>[]::new))
        .select(
            field(GIVEN_UP.isNotNull()).as(O.RELEASED),
            field(HeldRow.COMMITTED_AT.gt(HeldRow.JUDGED_AT)).as(IN_FUTURE),
            row.leaseLeft().as(LEASE_LEFT))
        .from(judged)
        .leftOuterJoin(released)
        .on(trueCondition());
  }

  private CommonTableExpression<?> released(CommonTableExpression<?> judged) {
    return name("given_up")
        .as(
            update(O)
                .set(O.RELEASED, inline(true))
                .set(O.RELEASE_SHA256, Parameters.of(O.RELEASE_SHA256))
                .set(O.DURABLE_CONFIRMED_AT, HeldRow.JUDGED_AT)
                .from(judged)
                .where(HeldRow.sameRow())
                .and(HeldRow.COMMITTED_AT.le(HeldRow.JUDGED_AT))
                .and(
                    HeldRow.LEASE_END.ge(
                        clock.after(HeldRow.JUDGED_AT, Parameters.seconds(MARGIN))))
                .returningResult(O.RELEASED.as(GIVEN_UP)));
  }
}
