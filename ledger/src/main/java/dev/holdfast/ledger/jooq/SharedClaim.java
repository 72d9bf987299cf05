package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.ClaimStatement.Shape;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims an operation and the shared resource it names: one transaction of two statements, the
 * resource's row first, both or none. Safe for use by many threads.
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
 *         'in_progress') and o.fencing_token < :fencing_token and o.pending_evidence = 0 and
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
 * claimed as (
 *   insert into operation as o (scope, operation_id, fingerprint_scheme, fingerprint_sha256,
 *       generation, resource_id, epoch, state, revision, open_attempts, pending_evidence,
 *       fencing_token, released, first_claimed_at, gate_receipts, claim_id, worker, namespace,
 *       workflow_id, run_id, activity_id, attempt_number, expires_at, claimed_at,
 *       dispatch_deadline_at, horizon_at)
 *   select :scope, :operation_id, :fingerprint_scheme, :fingerprint_sha256, :generation,
 *       :resource_id, 0, 'in_progress', 1, 1, 0, :fencing_token, false, ledger_clock(),
 *       cast(null as bigint[]), cast(:claim_id as uuid), :worker, :namespace, :workflow_id,
 *       :run_id, :activity_id, :attempt_number, cast(:expires_at as timestamp with time zone),
 *       ledger_clock(),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)) + make_interval(secs => cast(:in_flight_seconds as double precision))
 *   from seen
 *   where (state is null or claimable)
 *   on conflict (scope, operation_id)
 *   do update set state = 'in_progress', revision = (o.revision + 1),
 *       open_attempts = (o.open_attempts + 1), fencing_token = :fencing_token,
 *       released = false, release_sha256 = cast(null as bytea),
 *       durable_confirmed_at = cast(null as timestamp with time zone),
 *       first_claimed_at = case when o.open_attempts > 0 then o.first_claimed_at else
 *       ledger_clock() end, gate_receipts = excluded.gate_receipts,
 *       claim_id = excluded.claim_id, worker = excluded.worker, namespace = excluded.namespace,
 *       workflow_id = excluded.workflow_id, run_id = excluded.run_id,
 *       activity_id = excluded.activity_id, attempt_number = excluded.attempt_number,
 *       expires_at = cast(:expires_at as timestamp with time zone), claimed_at = ledger_clock(),
 *       dispatch_deadline_at = ledger_clock() + make_interval(secs =>
 *       cast(:dispatch_within_seconds as double precision)),
 *       horizon_at = ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as
 *       double precision)) + make_interval(secs => cast(:in_flight_seconds as double precision))
 *   where (o.fingerprint_scheme = :fingerprint_scheme and o.fingerprint_sha256 =
 *       :fingerprint_sha256 and o.generation = :generation and o.resource_id = :resource_id
 *       and o.claim_id <> cast(:claim_id as uuid) and (o.state = 'unknown' or o.state =
 *       'in_progress') and o.fencing_token < :fencing_token and o.pending_evidence = 0 and
 *       o.parked_reason is null and (o.open_attempts = 0 or :while_open or o.first_claimed_at
 *       + make_interval(secs => cast(:key_usable_seconds as double precision)) >
 *       ledger_clock()))
 *   returning o.fencing_token as granted_token, o.revision as granted_revision,
 *       o.epoch as granted_epoch, o.open_attempts as granted_open,
 *       cast(extract(epoch from o.first_claimed_at + make_interval(secs =>
 *       cast(:key_usable_seconds as double precision)) - ledger_clock()) * 1000000 as bigint)
 *       as granted_key_left_us)
 * select seen.*,
 * claimed.*
 * from seen
 * left outer join claimed on true
 * }</pre>
 */
final class SharedClaim {
  private final LedgerConnection connection;
  private final LedgerTransaction transactions;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final SharedLookStatement look;
  private final SharedLookStatement boundLook;
  private final ResourceClaimStatement resource;
  private final Map<Shape, ClaimStatement> byShape = new ConcurrentHashMap<>();

  SharedClaim(
      LedgerConnection connection,
      LedgerTransaction transactions,
      LedgerSql sql,
      LedgerOptions options) {
    this.connection = connection;
    this.transactions = transactions;
    this.sql = sql;
    this.options = options;
    this.look = new SharedLookStatement(sql, false);
    this.boundLook = new SharedLookStatement(sql, true);
    this.resource = new ResourceClaimStatement(sql, options.commitLevel());
  }

  /** Empty where the database chose it as a victim: nothing was changed, ask again. */
  Optional<ClaimAnswer> ask(ClaimRequest request) {
    Duration patience = options.patience(request.leaseFor());
    SharedLookStatement statement = request.binding() == null ? look : boundLook;
    SharedLookStatement.Look seen =
        connection.autocommit(
            patience,
            borrowed -> statement.execute(borrowed, request, StatementSettings.bindings(patience)));
    return seen.isPromising(request)
        ? LedgerConnection.uninterrupted(() -> take(request, patience, seen))
        : Optional.of(ClaimAnswer.refused(seen.seen(), seen.heldFor(), seen.binding()));
  }

  private Optional<ClaimAnswer> take(
      ClaimRequest request, Duration patience, SharedLookStatement.Look seen) {
    try (OpenTransaction open = transactions.begin(request.leaseFor())) {
      ClaimAnswer answer = take(open.connection(), request, patience, seen);
      if (answer.grant() != null) {
        open.commit();
      }
      return Optional.of(answer);
    } catch (SQLException e) {
      if (DatabaseFailure.asksToRepeat(e)) {
        return Optional.empty();
      }
      throw DatabaseFailure.beforeCommit(e);
    }
  }

  private ClaimAnswer take(
      Connection under, ClaimRequest request, Duration patience, SharedLookStatement.Look seen)
      throws SQLException {
    ResourceClaimStatement.Answer taken =
        resource.execute(under, request, StatementSettings.bindings(patience));
    ResourceGrant grant = taken.grant();
    if (grant == null) {
      return ClaimAnswer.refused(taken.seen(), taken.heldFor(), seen.binding());
    }
    ClaimAnswer answer =
        statement(Shape.of(request))
            .execute(under, request, grant, StatementSettings.bindings(patience));
    boolean both = answer.grant() != null && answer.closedGate(request).isEmpty();
    return both ? answer : answer.rolledBack();
  }

  private ClaimStatement statement(Shape asked) {
    return byShape.computeIfAbsent(
        asked,
        shape -> new ClaimStatement(sql, options.commitLevel(), LeaseOf.RESOURCE_TAKEN, shape));
  }
}
