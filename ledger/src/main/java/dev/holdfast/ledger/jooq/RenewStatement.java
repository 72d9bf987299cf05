package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.HeldRow.WhenLocked;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jooq.CommonTableExpression;
import org.jooq.Query;

/**
 * Prolongs a lease that lives and is not locked; it never waits and never revives.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       current_setting('synchronous_commit') as synchronous_commit),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from settings
 *   cross join lateral (
 *     select o.expires_at as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.released = false)
 *     for update skip locked) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * alive as materialized (
 *   select judged.*
 *   from judged
 *   where lease_end > judged_at) update operation as o
 * set expires_at = greatest(o.expires_at,
 *     judged_at + make_interval(secs => cast(:lease_seconds as double precision)))
 * from alive
 * where (o.scope = :scope and o.operation_id = :operation_id)
 * }</pre>
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       current_setting('synchronous_commit') as synchronous_commit),
 * resource_held as materialized (
 *   select synchronous_commit, resource_row.*
 *   from settings
 *   cross join lateral (
 *     select r.expires_at as resource_expires_at
 *     from resource as r
 *     where (r.scope = :scope and r.resource_id = :resource_id and r.fencing_token =
 *         :fencing_token and r.claim_id = cast(:claim_id as uuid) and r.released = false)
 *     for update skip locked) as resource_row),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from resource_held
 *   cross join lateral (
 *     select least(resource_expires_at, o.expires_at) as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.released = false)
 *     for update skip locked) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * alive as materialized (
 *   select judged.*
 *   from judged
 *   where lease_end > judged_at),
 * resource_prolonged as (
 *   update resource as r
 *   set expires_at = greatest(r.expires_at,
 *       judged_at + make_interval(secs => cast(:lease_seconds as double precision)))
 *   from alive
 *   where (r.scope = :scope and r.resource_id = :resource_id)
 *   returning r.expires_at) update operation as o
 * set expires_at = greatest(o.expires_at,
 *     judged_at + make_interval(secs => cast(:lease_seconds as double precision)))
 * from alive
 * where (o.scope = :scope and o.operation_id = :operation_id)
 * }</pre>
 */
final class RenewStatement {
  private static final Operation O = HeldRow.O;
  private static final String LEASE = "lease";

  private final PostgresClock clock;
  private final HeldRow row;
  private final LeaseRows rows;
  private final ScalarStatement statement;

  RenewStatement(LedgerSql sql, LeaseRows rows) {
    this.clock = sql.clock();
    this.rows = rows;
    this.row = new HeldRow(rows, WhenLocked.SKIP, clock);
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.asInSession()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Renews each of these that lives and is not locked; which ones, in the same order. */
  List<Boolean> execute(
      Connection connection,
      List<? extends HeldLease> leases,
      Duration leaseFor,
      Supplier<Bindings> settings)
      throws SQLException {
    List<Bindings> each = new ArrayList<>();
    for (HeldLease lease : leases) {
      Bindings values = Parameters.holder(settings.get(), lease);
      each.add(Parameters.span(values, LEASE, leaseFor));
    }
    return statement.updateEach(connection, each);
  }

  private Query statement(CommonTableExpression<?> settings) {
    List<CommonTableExpression<?>> parts =
        new ArrayList<>(row.locked(settings, O.RELEASED.eq(inline(false)), List.of()));
    CommonTableExpression<?> alive =
        name("alive")
            .asMaterialized(
                select(parts.getLast().asterisk())
                    .from(parts.getLast())
                    .where(HeldRow.LEASE_END.gt(HeldRow.JUDGED_AT)));
    parts.add(alive);
    if (rows == LeaseRows.SHARED) {
      parts.add(row.resourceProlonged(alive, Parameters.seconds(LEASE)));
    }
    return with(parts.toArray(CommonTableExpression<?>[]::new))
        .update(O)
        .set(
            O.EXPIRES_AT,
            greatest(O.EXPIRES_AT, clock.after(HeldRow.JUDGED_AT, Parameters.seconds(LEASE))))
        .from(alive)
        .where(HeldRow.sameRow());
  }
}
