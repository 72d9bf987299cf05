package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.CommonTableExpression;
import org.jooq.Query;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an operation and its shared resource without taking either, so that a claim that would
 * be refused opens no transaction.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       current_setting('synchronous_commit') as synchronous_commit),
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
 *     where (r.scope = :scope and r.resource_id = :resource_id)) as existing_resource on true)
 * select seen.*,
 * resource_seen.*
 * from seen
 * cross join resource_seen
 * }</pre>
 */
final class SharedLookStatement {
  private final boolean bound;
  private final ScalarStatement statement;

  /**
   * What was seen.
   *
   * @param heldFor what is left of somebody's lease on the resource; null where there is none
   * @param seen the operation's row; null where nobody claimed it
   * @param binding the current generation of the binding that was named; null where none was
   */
  record Look(
      @Nullable Duration heldFor, @Nullable SeenOperation seen, @Nullable Generation binding) {
    /** Whether a claim may be tried. */
    boolean isPromising(ClaimRequest request) {
      return heldFor == null
          && (seen == null || seen.claimable())
          && (binding == null || binding.equals(request.reservation().generation()));
    }
  }

  SharedLookStatement(LedgerSql sql, boolean bound) {
    this.bound = bound;
    this.statement = ScalarStatement.of(sql, statement(sql.clock()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  Look execute(Connection connection, ClaimRequest request, Bindings settings) throws SQLException {
    return statement
        .query(connection, ClaimTerms.bind(settings, request), this::read)
        .orElseThrow(() -> new IllegalStateException("a look without an answer"));
  }

  private Look read(AnswerRow row) throws SQLException {
    return new Look(
        row.flag(ResourceClaimStatement.RESOURCE_HELD)
            ? row.micros(ResourceClaimStatement.RESOURCE_LEFT)
            : null,
        row.has(OPERATION.STATE) ? SeenOperation.read(row) : null,
        bound ? BoundTerms.read(row) : null);
  }

  private Query statement(PostgresClock clock) {
    CommonTableExpression<?> settings = StatementSettings.asInSession();
    CommonTableExpression<?> seen = new ClaimGuard(LeaseOf.RESOURCE_ASKED, clock).seen(settings);
    CommonTableExpression<?> resource = ResourceClaimStatement.seenResource(settings, clock);
    if (!bound) {
      return with(settings, seen, resource)
          .select(seen.asterisk(), resource.asterisk())
          .from(seen)
          .crossJoin(resource);
    }
    CommonTableExpression<?> binding = BoundTerms.seen(settings);
    return with(settings, seen, resource, binding)
        .select(seen.asterisk(), resource.asterisk(), binding.asterisk())
        .from(seen)
        .crossJoin(resource)
        .crossJoin(binding);
  }
}
