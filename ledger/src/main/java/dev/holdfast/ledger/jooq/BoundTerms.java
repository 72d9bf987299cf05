package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.BINDING;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.jooq.generated.tables.Binding;
import java.sql.SQLException;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * The binding that a claim names, as the statement's snapshot shows it: a claim that was sent
 * before a rotation was committed may be granted beside it, as one that was granted just before. It
 * is not locked: all claims under one binding would write to its row.
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
 *         and o.claim_id <> cast(:claim_id as uuid) and (o.state = 'unknown' or (o.state =
 *         'in_progress' and o.expires_at <= ledger_clock())) and o.pending_evidence = 0 and
 *         o.parked_reason is null and (o.open_attempts = 0 or :while_open or
 *         o.first_claimed_at + make_interval(secs => cast(:key_usable_seconds as double
 *         precision)) > ledger_clock())) as claimable,
 *         cast(extract(epoch from o.expires_at - ledger_clock()) * 1000000 as bigint) as
 *         lease_left_us,
 *         cast(extract(epoch from o.first_claimed_at + make_interval(secs =>
 *         cast(:key_usable_seconds as double precision)) - ledger_clock()) * 1000000 as
 *         bigint) as key_left_us
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id)) as existing on true),
 * bound as materialized (
 *   select current_binding.*
 *   from settings
 *   left outer join lateral (
 *     select b.generation as bound_generation
 *     from binding as b
 *     where (b.scope = :scope and b.name = :binding)) as current_binding on true),
 * claimed as (
 *   insert into operation as o (scope, operation_id, fingerprint_scheme, fingerprint_sha256,
 *       generation, resource_id, epoch, state, revision, open_attempts, pending_evidence,
 *       fencing_token, released, first_claimed_at, gate_receipts, claim_id, worker, namespace,
 *       workflow_id, run_id, activity_id, attempt_number, expires_at, claimed_at,
 *       dispatch_deadline_at, horizon_at)
 *   select :scope, :operation_id, :fingerprint_scheme, :fingerprint_sha256, :generation,
 *       :resource_id, 0, 'in_progress', 1, 1, 0,
 *       cast(floor(extract(epoch from ledger_clock()) * 1000) as bigint), false,
 *       ledger_clock(), cast(null as bigint[]), cast(:claim_id as uuid), :worker, :namespace,
 *       :workflow_id, :run_id, :activity_id, :attempt_number,
 *       ledger_clock() + make_interval(secs => cast(:lease_seconds as double precision)),
 *       ledger_clock(),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)) + make_interval(secs => cast(:in_flight_seconds as double precision))
 *   from seen
 *   cross join bound
 *   where ((state is null or claimable) and coalesce(bound_generation, 0) = :generation)
 *   on conflict (scope, operation_id)
 *   do update set state = 'in_progress', revision = (o.revision + 1),
 *       open_attempts = (o.open_attempts + 1), fencing_token = greatest((o.fencing_token + 1),
 *       cast(floor(extract(epoch from ledger_clock()) * 1000) as bigint)), released = false,
 *       release_sha256 = cast(null as bytea),
 *       durable_confirmed_at = cast(null as timestamp with time zone),
 *       first_claimed_at = case when o.open_attempts > 0 then o.first_claimed_at else
 *       ledger_clock() end, gate_receipts = excluded.gate_receipts,
 *       claim_id = excluded.claim_id, worker = excluded.worker,
 *       namespace = excluded.namespace, workflow_id = excluded.workflow_id,
 *       run_id = excluded.run_id, activity_id = excluded.activity_id,
 *       attempt_number = excluded.attempt_number,
 *       expires_at = ledger_clock() + make_interval(secs => cast(:lease_seconds as double
 *       precision)), claimed_at = ledger_clock(),
 *       dispatch_deadline_at = ledger_clock() + make_interval(secs =>
 *       cast(:dispatch_within_seconds as double precision)),
 *       horizon_at = ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as
 *       double precision)) + make_interval(secs => cast(:in_flight_seconds as double precision))
 *   where (o.fingerprint_scheme = :fingerprint_scheme and o.fingerprint_sha256 =
 *       :fingerprint_sha256 and o.generation = :generation and o.resource_id = :resource_id
 *       and o.claim_id <> cast(:claim_id as uuid) and (o.state = 'unknown' or (o.state =
 *       'in_progress' and o.expires_at <= ledger_clock())) and o.pending_evidence = 0 and
 *       o.parked_reason is null and (o.open_attempts = 0 or :while_open or o.first_claimed_at
 *       + make_interval(secs => cast(:key_usable_seconds as double precision)) >
 *       ledger_clock()))
 *   returning o.fencing_token as granted_token, o.revision as granted_revision,
 *       o.epoch as granted_epoch, o.open_attempts as granted_open,
 *       cast(extract(epoch from o.first_claimed_at + make_interval(secs =>
 *       cast(:key_usable_seconds as double precision)) - ledger_clock()) * 1000000 as bigint)
 *       as granted_key_left_us)
 * select seen.*,
 * claimed.*,
 * bound.*
 * from seen
 * left outer join claimed on true
 * left outer join bound on true
 * }</pre>
 */
final class BoundTerms {
  private static final Binding B = BINDING.as("b");
  private static final Param<String> NAME = param("binding", B.NAME.getDataType());

  /** Null where nobody ever rotated it. */
  private static final Field<Long> CURRENT = field(name("bound_generation"), SQLDataType.BIGINT);

  private BoundTerms() {}

  /** One row in any case. */
  static CommonTableExpression<?> seen(CommonTableExpression<?> settings) {
    Table<?> row =
        select(B.GENERATION.as(CURRENT))
            .from(B)
            .where(B.SCOPE.eq(Parameters.SCOPE))
            .and(B.NAME.eq(NAME))
            .asTable("current_binding");
    return name("bound")
        .asMaterialized(
            select(row.asterisk()).from(settings).leftOuterJoin(lateral(row)).on(trueCondition()));
  }

  /** Whether the claim's generation is the binding's. */
  static Condition isCurrent() {
    return coalesce(CURRENT, inline(0L)).eq(Parameters.GENERATION);
  }

  static void bind(Bindings values, BindingName binding) {
    values.set(NAME, binding.value());
  }

  static Generation read(AnswerRow row) throws SQLException {
    return new Generation(row.number(CURRENT));
  }
}
