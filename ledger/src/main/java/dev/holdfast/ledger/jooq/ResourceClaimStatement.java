package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.generated.tables.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Takes a shared resource for one operation: the first of the two statements of its claim. A
 * resource that is held, and an operation that its own row refuses, change nothing.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit',
 *       case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply'
 *       else 'on' end, true) as synchronous_commit),
 * seen as materialized (
 *   select existing.*
 *   from settings
 *   left outer join lateral (
 *     select o.state, o.epoch, o.fencing_token, o.parked_reason, o.open_attempts,
 *         o.pending_evidence, o.durable_confirmed_at, o.receipt_number, o.receipt_timeline,
 *         o.effect_id, o.result_kind, o.result, o.result_sha256, o.failure_code,
 *         o.upstream_status,
 *         (o.fingerprint_scheme = :fingerprint_scheme and o.fingerprint_sha256 =
 *         :fingerprint_sha256) as same_fingerprint,
 *         (o.generation = :generation) as same_generation,
 *         (o.resource_id = :resource_id) as same_resource,
 *         (o.fingerprint_scheme = :fingerprint_scheme and o.fingerprint_sha256 =
 *         :fingerprint_sha256 and o.generation = :generation and o.resource_id = :resource_id
 *         and o.claim_id <> cast(:claim_id as uuid) and (o.state = 'unknown' or o.state =
 *         'in_progress') and o.pending_evidence = 0 and o.parked_reason is null and
 *         (o.open_attempts = 0 or :while_open or o.first_claimed_at + make_interval(secs =>
 *         cast(:key_usable_seconds as double precision)) > ledger_clock())) as claimable,
 *         cast(extract(epoch from o.expires_at - ledger_clock()) * 1000000 as bigint) as
 *         lease_left_us,
 *         cast(extract(epoch from o.first_claimed_at + make_interval(secs =>
 *         cast(:key_usable_seconds as double precision)) - ledger_clock()) * 1000000 as
 *         bigint) as key_left_us
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id)) as existing on true),
 * resource_seen as materialized (
 *   select existing_resource.*
 *   from settings
 *   left outer join lateral (
 *     select (r.released = false and r.expires_at > ledger_clock()) as resource_held,
 *         cast(extract(epoch from r.expires_at - ledger_clock()) * 1000000 as bigint) as
 *         resource_left_us
 *     from resource as r
 *     where (r.scope = :scope and r.resource_id = :resource_id)) as existing_resource on true),
 * taken as (
 *   insert into resource as r (scope, resource_id, operation_id, fencing_token, claim_id,
 *       worker, expires_at, released)
 *   select :scope, :resource_id, :operation_id, greatest((coalesce(fencing_token, 0) + 1),
 *       cast(floor(extract(epoch from ledger_clock()) * 1000) as bigint)),
 *       cast(:claim_id as uuid), :worker,
 *       ledger_clock() + make_interval(secs => cast(:lease_seconds as double precision)), false
 *   from seen
 *   cross join resource_seen
 *   where ((state is null or claimable) and (resource_held is null or resource_held = false))
 *   on conflict (scope, resource_id)
 *   do update set operation_id = :operation_id, fencing_token = greatest((r.fencing_token + 1),
 *       excluded.fencing_token,
 *       cast(floor(extract(epoch from ledger_clock()) * 1000) as bigint)),
 *       claim_id = cast(:claim_id as uuid), worker = :worker,
 *       expires_at = ledger_clock() + make_interval(secs => cast(:lease_seconds as double
 *       precision)), released = false
 *   where ((r.released = true or r.expires_at <= ledger_clock()) and r.claim_id <>
 *       cast(:claim_id as uuid))
 *   returning r.fencing_token as taken_token, r.expires_at as taken_until)
 * select seen.*,
 * resource_seen.*,
 * taken.*
 * from seen
 * cross join resource_seen
 * left outer join taken on true
 * }</pre>
 */
final class ResourceClaimStatement {
  private static final Resource R = RESOURCE.as("r");
  private static final Resource EXCLUDED = RESOURCE.as("excluded");
  static final Field<Long> RESOURCE_LEFT = field(name("resource_left_us"), SQLDataType.BIGINT);
  static final Field<Boolean> RESOURCE_HELD = field(name("resource_held"), SQLDataType.BOOLEAN);
  private static final Field<Long> TAKEN_TOKEN = field(name("taken_token"), SQLDataType.BIGINT);
  private static final Field<Instant> TAKEN_UNTIL = field(name("taken_until"), SQLDataType.INSTANT);

  private final PostgresClock clock;
  private final ScalarStatement statement;

  /**
   * What was found.
   *
   * @param grant present where the resource was taken
   * @param heldFor what is left of somebody's lease on it; null where there is none
   * @param seen the operation's row; null where nobody claimed it
   */
  record Answer(
      @Nullable ResourceGrant grant, @Nullable Duration heldFor, @Nullable SeenOperation seen) {}

  ResourceClaimStatement(LedgerSql sql, CommitLevel level) {
    this.clock = sql.clock();
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.confirmed(level)));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  Answer execute(Connection connection, ClaimRequest request, Bindings settings)
      throws SQLException {
    return statement
        .query(connection, ClaimTerms.bind(settings, request), ResourceClaimStatement::read)
        .orElseThrow(() -> new IllegalStateException("a claim without an answer"));
  }

  private static Answer read(AnswerRow row) throws SQLException {
    return new Answer(
        row.has(TAKEN_TOKEN)
            ? new ResourceGrant(row.number(TAKEN_TOKEN), row.instant(TAKEN_UNTIL))
            : null,
        row.flag(RESOURCE_HELD) ? row.micros(RESOURCE_LEFT) : null,
        row.has(OPERATION.STATE) ? SeenOperation.read(row) : null);
  }

  private Query statement(CommonTableExpression<?> settings) {
    CommonTableExpression<?> seen = new ClaimGuard(LeaseOf.RESOURCE_ASKED, clock).seen(settings);
    CommonTableExpression<?> resource = seenResource(settings, clock);
    CommonTableExpression<?> taken = taken(seen, resource);
    return with(settings, seen, resource, taken)
        .select(seen.asterisk(), resource.asterisk(), taken.asterisk())
        .from(seen)
        .crossJoin(resource)
        .leftOuterJoin(taken)
        .on(trueCondition());
  }

  /** One row in any case; its columns are null where nobody ever took the resource. */
  static CommonTableExpression<?> seenResource(
      CommonTableExpression<?> settings, PostgresClock clock) {
    Table<?> existing =
        select(
                field(R.RELEASED.eq(inline(false)).and(R.EXPIRES_AT.gt(clock.now())))
                    .as(RESOURCE_HELD),
                clock.microsLeft(R.EXPIRES_AT, clock.now()).as(RESOURCE_LEFT))
            .from(R)
            .where(R.SCOPE.eq(Parameters.SCOPE))
            .and(R.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
            .asTable("existing_resource");
    return name("resource_seen")
        .asMaterialized(
            select(existing.asterisk())
                .from(settings)
                .leftOuterJoin(lateral(existing))
                .on(trueCondition()));
  }

  private CommonTableExpression<?> taken(
      CommonTableExpression<?> seen, CommonTableExpression<?> resource) {
    Map<Field<?>, Field<?>> first = firstTaking();
    Condition free = R.RELEASED.eq(inline(true)).or(R.EXPIRES_AT.le(clock.now()));
    return name("taken")
        .as(
            insertInto(R)
                .columns(first.keySet())
                .select(
                    select(first.values())
                        .from(seen)
                        .crossJoin(resource)
                        .where(ClaimGuard.wasClaimable())
                        .and(RESOURCE_HELD.isNull().or(RESOURCE_HELD.eq(inline(false)))))
                .onConflict(R.SCOPE, R.RESOURCE_ID)
                .doUpdate()
                .set(nextTaking())
                .where(free.and(R.CLAIM_ID.ne(Parameters.CLAIM_ID)))
                .returningResult(R.FENCING_TOKEN.as(TAKEN_TOKEN), R.EXPIRES_AT.as(TAKEN_UNTIL)));
  }

  private Map<Field<?>, Field<?>> firstTaking() {
    Field<Long> aboveOperation =
        coalesce(Parameters.column(OPERATION.FENCING_TOKEN), inline(0L)).plus(inline(1L));
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(R.SCOPE, Parameters.SCOPE);
    row.put(R.RESOURCE_ID, Parameters.RESOURCE_ID);
    row.put(R.OPERATION_ID, Parameters.OPERATION_ID);
    row.put(R.FENCING_TOKEN, greatest(aboveOperation, clock.nowMillis()));
    row.put(R.CLAIM_ID, Parameters.CLAIM_ID);
    row.put(R.WORKER, Parameters.of(R.WORKER));
    row.put(R.EXPIRES_AT, clock.after(clock.now(), ClaimTerms.LEASE));
    row.put(R.RELEASED, inline(false));
    return row;
  }

  /**
   * The token above the resource's last and the operation's; the end by the clock behind the lock.
   */
  private Map<Field<?>, Field<?>> nextTaking() {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(R.OPERATION_ID, Parameters.OPERATION_ID);
    row.put(
        R.FENCING_TOKEN,
        greatest(R.FENCING_TOKEN.plus(inline(1L)), EXCLUDED.FENCING_TOKEN, clock.nowMillis()));
    row.put(R.CLAIM_ID, Parameters.CLAIM_ID);
    row.put(R.WORKER, Parameters.of(R.WORKER));
    row.put(R.EXPIRES_AT, clock.after(clock.now(), ClaimTerms.LEASE));
    row.put(R.RELEASED, inline(false));
    return row;
  }
}
