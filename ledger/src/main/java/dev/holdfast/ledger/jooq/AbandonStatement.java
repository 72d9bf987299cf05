package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.HeldRow.WhenLocked;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Query;

/**
 * Gives back the lease of an attempt that dispatched nothing, and closes the attempt.
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
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.state = 'in_progress')
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * abandoned as (
 *   update operation as o
 *   set state = 'unknown', revision = (o.revision + 1), open_attempts = (o.open_attempts - 1),
 *       released = true
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id)
 *   returning o.scope, o.operation_id, o.claim_id, o.fencing_token, o.fingerprint_scheme,
 *       o.fingerprint_sha256, o.generation, o.epoch, o.revision, judged_at),
 * observed as (
 *   insert into observation (scope, operation_id, observer, claim_id, fencing_token, kind,
 *       disposition, closes_attempt, fingerprint_scheme, fingerprint_sha256, generation, epoch,
 *       observed_at)
 *   select scope, operation_id, 'holder', claim_id, fencing_token, 'not_dispatched', 'closed',
 *       true, fingerprint_scheme, fingerprint_sha256, generation, epoch, judged_at
 *   from abandoned
 *   returning observation.observation_number)
 * select abandoned.revision
 * from abandoned
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
 *     for update) as resource_row),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from resource_held
 *   cross join lateral (
 *     select least(resource_expires_at, o.expires_at) as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.state = 'in_progress')
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * abandoned as (
 *   update operation as o
 *   set state = 'unknown', revision = (o.revision + 1), open_attempts = (o.open_attempts - 1),
 *       released = true
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id)
 *   returning o.scope, o.operation_id, o.claim_id, o.fencing_token, o.fingerprint_scheme,
 *       o.fingerprint_sha256, o.generation, o.epoch, o.revision, judged_at),
 * resource_given_up as (
 *   update resource as r
 *   set released = true
 *   from abandoned
 *   where (r.scope = :scope and r.resource_id = :resource_id)
 *   returning r.released),
 * observed as (
 *   insert into observation (scope, operation_id, observer, claim_id, fencing_token, kind,
 *       disposition, closes_attempt, fingerprint_scheme, fingerprint_sha256, generation, epoch,
 *       observed_at)
 *   select scope, operation_id, 'holder', claim_id, fencing_token, 'not_dispatched', 'closed',
 *       true, fingerprint_scheme, fingerprint_sha256, generation, epoch, judged_at
 *   from abandoned
 *   returning observation.observation_number)
 * select abandoned.revision
 * from abandoned
 * }</pre>
 */
final class AbandonStatement {
  private static final Operation O = HeldRow.O;

  private final HeldRow row;
  private final LeaseRows rows;
  private final ScalarStatement statement;

  AbandonStatement(LedgerSql sql, LeaseRows rows) {
    this.rows = rows;
    this.row = new HeldRow(rows, WhenLocked.WAIT, sql.clock());
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.asInSession()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Whether the lease was the last one and its attempt open. */
  boolean execute(Connection connection, UndispatchedLease lease, Bindings settings)
      throws SQLException {
    Bindings values = Parameters.holder(settings, lease);
    return statement.query(connection, values, any -> true).orElse(false);
  }

  private Query statement(CommonTableExpression<?> settings) {
    List<CommonTableExpression<?>> parts =
        new ArrayList<>(row.locked(settings, O.STATE.eq(inline("in_progress")), List.of()));
    CommonTableExpression<?> abandoned = abandoned(parts.getLast());
    parts.add(abandoned);
    if (rows == LeaseRows.SHARED) {
      parts.add(row.resourceGivenUp(abandoned));
    }
    parts.add(observation(abandoned));
    return with(parts.toArray(CommonTableExpression<?>[]::new))
        .select(abandoned.field(O.REVISION))
        .from(abandoned);
  }

  private static CommonTableExpression<?> abandoned(CommonTableExpression<?> judged) {
    return name("abandoned")
        .as(
            update(O)
                .set(O.STATE, inline("unknown"))
                .set(O.REVISION, O.REVISION.plus(inline(1L)))
                .set(O.OPEN_ATTEMPTS, O.OPEN_ATTEMPTS.minus(inline(1)))
                .set(O.RELEASED, inline(true))
                .from(judged)
                .where(HeldRow.sameRow())
                .returningResult(
                    O.SCOPE,
                    O.OPERATION_ID,
                    O.CLAIM_ID,
                    O.FENCING_TOKEN,
                    O.FINGERPRINT_SCHEME,
                    O.FINGERPRINT_SHA256,
                    O.GENERATION,
                    O.EPOCH,
                    O.REVISION,
                    HeldRow.JUDGED_AT));
  }

  private static CommonTableExpression<?> observation(CommonTableExpression<?> abandoned) {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(OBSERVATION.SCOPE, Parameters.column(O.SCOPE));
    row.put(OBSERVATION.OPERATION_ID, Parameters.column(O.OPERATION_ID));
    row.put(OBSERVATION.OBSERVER, inline("holder"));
    row.put(OBSERVATION.CLAIM_ID, Parameters.column(O.CLAIM_ID));
    row.put(OBSERVATION.FENCING_TOKEN, Parameters.column(O.FENCING_TOKEN));
    row.put(OBSERVATION.KIND, inline("not_dispatched"));
    row.put(OBSERVATION.DISPOSITION, inline("closed"));
    row.put(OBSERVATION.CLOSES_ATTEMPT, inline(true));
    row.put(OBSERVATION.FINGERPRINT_SCHEME, Parameters.column(O.FINGERPRINT_SCHEME));
    row.put(OBSERVATION.FINGERPRINT_SHA256, Parameters.column(O.FINGERPRINT_SHA256));
    row.put(OBSERVATION.GENERATION, Parameters.column(O.GENERATION));
    row.put(OBSERVATION.EPOCH, Parameters.column(O.EPOCH));
    row.put(OBSERVATION.OBSERVED_AT, Parameters.column(HeldRow.JUDGED_AT));
    return name("observed")
        .as(
            insertInto(OBSERVATION)
                .columns(row.keySet())
                .select(select(row.values()).from(abandoned))
                .returningResult(OBSERVATION.OBSERVATION_NUMBER));
  }
}
