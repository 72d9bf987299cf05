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

/**
 * Gives up the lease of a committed receipt, and notes that its commit was confirmed.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit', 'off', true) as synchronous_commit),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from settings
 *   cross join lateral (
 *     select o.settled_at as committed_at, o.expires_at as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.state = 'completed'
 *         and o.receipt_number = :receipt_number and o.released = false)
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * given_up as (
 *   update operation as o
 *   set released = true, release_sha256 = :release_sha256, durable_confirmed_at = judged_at
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and committed_at <= judged_at
 *       and lease_end >= judged_at + make_interval(secs => cast(:margin_seconds as double
 *       precision)))
 *   returning o.released as given_up_now)
 * select (given_up_now is not null) as released,
 * (committed_at > judged_at) as commit_in_future,
 * cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us
 * from judged
 * left outer join given_up on true
 * }</pre>
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit', 'off', true) as synchronous_commit),
 * resource_held as materialized (
 *   select synchronous_commit, resource_row.*
 *   from settings
 *   cross join lateral (
 *     select r.expires_at as resource_expires_at
 *     from resource as r
 *     where (r.scope = :scope and r.resource_id = :resource_id and r.fencing_token =
 *         :fencing_token and r.claim_id = cast(:claim_id as uuid) and r.released = false)
 *     for update) as resource_row),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from resource_held
 *   cross join lateral (
 *     select o.settled_at as committed_at, least(resource_expires_at, o.expires_at) as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.state = 'completed'
 *         and o.receipt_number = :receipt_number and o.released = false)
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * given_up as (
 *   update operation as o
 *   set released = true, release_sha256 = :release_sha256, durable_confirmed_at = judged_at
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and committed_at <= judged_at
 *       and lease_end >= judged_at + make_interval(secs => cast(:margin_seconds as double
 *       precision)))
 *   returning o.released as given_up_now),
 * resource_given_up as (
 *   update resource as r
 *   set released = true
 *   from given_up
 *   where (r.scope = :scope and r.resource_id = :resource_id)
 *   returning r.released)
 * select (given_up_now is not null) as released,
 * (committed_at > judged_at) as commit_in_future,
 * cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us
 * from judged
 * left outer join given_up on true
 * }</pre>
 */
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
    this(sql, rows, StatementSettings.unconfirmed());
  }

  private ReleaseStatement(LedgerSql sql, LeaseRows rows, CommonTableExpression<?> settings) {
    this.clock = sql.clock();
    this.rows = rows;
    this.row = new HeldRow(rows, WhenLocked.WAIT, clock);
    this.statement = ScalarStatement.of(sql, statement(settings));
  }

  /** The same, and its commit is waited for. */
  static ReleaseStatement confirmed(LedgerSql sql, LeaseRows rows, CommitLevel level) {
    return new ReleaseStatement(sql, rows, StatementSettings.confirmed(level));
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
