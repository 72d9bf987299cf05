package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.SelectJoinStep;
import org.jooq.impl.SQLDataType;

/**
 * Claims one operation: reserves, acquires and records the attempt in one upsert of one row.
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
 * required_1 as materialized (
 *   select foreign_1.*
 *   from settings
 *   left outer join lateral (
 *     select r.state as gate_1_seen_state,
 *         exists (
 *           select 1
 *           from receipt as p
 *           where (p.scope = :scope and p.operation_id = :gate_1_operation_id and
 *               p.receipt_number = :gate_1_receipt_number and p.timeline = :gate_1_timeline))
 *         as gate_1_seen_known,
 *         (r.state = 'completed' and r.fingerprint_scheme = :gate_1_fingerprint_scheme and
 *         r.fingerprint_sha256 = :gate_1_fingerprint_sha256 and r.generation =
 *         :gate_1_generation and r.epoch = :gate_1_epoch and r.effect_id = :gate_1_effect_id)
 *         as gate_1_seen_open, r.receipt_number as gate_1_receipt
 *     from operation as r
 *     where (r.scope = :scope and r.operation_id = :gate_1_operation_id)) as foreign_1 on true),
 * claimed as (
 *   insert into operation as o (scope, operation_id, fingerprint_scheme, fingerprint_sha256,
 *       generation, resource_id, epoch, state, revision, open_attempts, pending_evidence,
 *       fencing_token, released, first_claimed_at, gate_receipts, claim_id, worker, namespace,
 *       workflow_id, run_id, activity_id, attempt_number, expires_at, claimed_at,
 *       dispatch_deadline_at, horizon_at)
 *   select :scope, :operation_id, :fingerprint_scheme, :fingerprint_sha256, :generation,
 *       :resource_id, 0, 'in_progress', 1, 1, 0,
 *       cast(floor(extract(epoch from ledger_clock()) * 1000) as bigint), false,
 *       ledger_clock(), array[gate_1_receipt], cast(:claim_id as uuid), :worker, :namespace,
 *       :workflow_id, :run_id, :activity_id, :attempt_number,
 *       ledger_clock() + make_interval(secs => cast(:lease_seconds as double precision)),
 *       ledger_clock(),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)),
 *       ledger_clock() + make_interval(secs => cast(:dispatch_within_seconds as double
 *       precision)) + make_interval(secs => cast(:in_flight_seconds as double precision))
 *   from seen
 *   cross join required_1
 *   where ((state is null or claimable) and gate_1_seen_open and gate_1_seen_known)
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
 *       as granted_key_left_us),
 * locked_1 as materialized (
 *   select foreign_1.*
 *   from claimed
 *   cross join lateral (
 *     select r.state as gate_1_locked_state,
 *         (r.state = 'completed' and r.fingerprint_scheme = :gate_1_fingerprint_scheme and
 *         r.fingerprint_sha256 = :gate_1_fingerprint_sha256 and r.generation =
 *         :gate_1_generation and r.epoch = :gate_1_epoch and r.effect_id = :gate_1_effect_id)
 *         as gate_1_locked_open
 *     from operation as r
 *     where (r.scope = :scope and r.operation_id = :gate_1_operation_id)
 *     for share) as foreign_1)
 * select seen.*,
 * claimed.*,
 * required_1.*,
 * locked_1.*
 * from seen
 * left outer join claimed on true
 * left outer join required_1 on true
 * left outer join locked_1 on true
 * }</pre>
 */
final class ClaimStatement {
  static final Field<Long> GRANTED_TOKEN = field(name("granted_token"), SQLDataType.BIGINT);
  static final Field<Long> GRANTED_REVISION = field(name("granted_revision"), SQLDataType.BIGINT);
  static final Field<Integer> GRANTED_EPOCH = field(name("granted_epoch"), SQLDataType.INTEGER);
  static final Field<Integer> GRANTED_OPEN = field(name("granted_open"), SQLDataType.INTEGER);
  static final Field<Long> GRANTED_KEY_LEFT =
      field(name("granted_key_left_us"), SQLDataType.BIGINT);

  private static final Operation O = OPERATION.as("o");
  private static final Operation EXCLUDED = OPERATION.as("excluded");

  private final PostgresClock clock;
  private final List<GateTerms> gates;
  private final ClaimGuard guard;
  private final LeaseOf leaseOf;
  private final Shape shape;
  private final ScalarStatement statement;

  /**
   * What a claim asks for besides its own row.
   *
   * @param gates how many completions must stand
   * @param bound whether it names a binding
   */
  record Shape(int gates, boolean bound) {
    /** For a claim of its own row alone. */
    static final Shape PLAIN = new Shape(0, false);

    static Shape of(ClaimRequest request) {
      return new Shape(request.gates().size(), request.binding() != null);
    }
  }

  ClaimStatement(LedgerSql sql, CommitLevel level, LeaseOf leaseOf, Shape shape) {
    this.leaseOf = leaseOf;
    this.shape = shape;
    this.clock = sql.clock();
    this.guard = new ClaimGuard(leaseOf, clock);
    this.gates = IntStream.rangeClosed(1, shape.gates()).mapToObj(GateTerms::new).toList();
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.confirmed(level)));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Claims an operation that is its own lease. */
  ClaimAnswer execute(Connection connection, ClaimRequest request, Bindings settings)
      throws SQLException {
    Bindings values = ClaimTerms.bind(settings, request);
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).bind(values, request.gates().get(i));
    }
    return statement
        .query(connection, values, row -> ClaimAnswer.read(row, gates, shape.bound()))
        .orElseThrow(() -> new IllegalStateException("a claim without an answer"));
  }

  /** Claims an operation under a resource's lease that this transaction has taken. */
  ClaimAnswer execute(
      Connection connection, ClaimRequest request, ResourceGrant resource, Bindings settings)
      throws SQLException {
    return execute(connection, request, resource.bind(settings));
  }

  private Query statement(CommonTableExpression<?> settings) {
    CommonTableExpression<?> seen = guard.seen(settings);
    List<CommonTableExpression<?>> before = new ArrayList<>();
    gates.forEach(gate -> before.add(gate.seen(settings)));
    if (shape.bound()) {
      before.add(BoundTerms.seen(settings));
    }
    CommonTableExpression<?> claimed = claimed(seen, before);
    List<CommonTableExpression<?>> after = new ArrayList<>();
    gates.forEach(gate -> after.add(gate.locked(claimed)));
    List<CommonTableExpression<?>> parts = new ArrayList<>(List.of(settings, seen));
    parts.addAll(before);
    parts.add(claimed);
    parts.addAll(after);

    List<CommonTableExpression<?>> answers = new ArrayList<>(List.of(claimed));
    answers.addAll(before);
    answers.addAll(after);
    List<SelectFieldOrAsterisk> columns = new ArrayList<>(List.of(seen.asterisk()));
    answers.forEach(part -> columns.add(part.asterisk()));
    SelectJoinStep<Record> answer =
        with(parts.toArray(CommonTableExpression<?>[]::new)).select(columns).from(seen);
    for (CommonTableExpression<?> part : answers) {
      answer = answer.leftOuterJoin(part).on(trueCondition());
    }
    return answer;
  }

  private CommonTableExpression<?> claimed(
      CommonTableExpression<?> seen, List<CommonTableExpression<?>> required) {
    Map<Field<?>, Field<?>> first = firstClaim();
    SelectJoinStep<Record> source = select(first.values()).from(seen);
    for (CommonTableExpression<?> part : required) {
      source = source.crossJoin(part);
    }
    Condition open = noCondition();
    for (GateTerms gate : gates) {
      open = open.and(gate.wasOpen());
    }
    if (shape.bound()) {
      open = open.and(BoundTerms.isCurrent());
    }
    return name("claimed")
        .as(
            insertInto(O)
                .columns(first.keySet())
                .select(source.where(ClaimGuard.wasClaimable()).and(open))
                .onConflict(O.SCOPE, O.OPERATION_ID)
                .doUpdate()
                .set(nextClaim())
                .where(guard.isClaimable(O))
                .returningResult(
                    O.FENCING_TOKEN.as(GRANTED_TOKEN),
                    O.REVISION.as(GRANTED_REVISION),
                    O.EPOCH.as(GRANTED_EPOCH),
                    O.OPEN_ATTEMPTS.as(GRANTED_OPEN),
                    guard.keyLeft(O).as(GRANTED_KEY_LEFT)));
  }

  private Map<Field<?>, Field<?>> firstClaim() {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(O.SCOPE, Parameters.SCOPE);
    row.put(O.OPERATION_ID, Parameters.OPERATION_ID);
    row.put(O.FINGERPRINT_SCHEME, Parameters.FINGERPRINT_SCHEME);
    row.put(O.FINGERPRINT_SHA256, Parameters.FINGERPRINT_SHA256);
    row.put(O.GENERATION, Parameters.GENERATION);
    row.put(O.RESOURCE_ID, Parameters.RESOURCE_ID);
    row.put(O.EPOCH, inline(0));
    row.put(O.STATE, inline("in_progress"));
    row.put(O.REVISION, inline(1L));
    row.put(O.OPEN_ATTEMPTS, inline(1));
    row.put(O.PENDING_EVIDENCE, inline(0));
    row.put(O.FENCING_TOKEN, firstToken());
    row.put(O.RELEASED, inline(false));
    row.put(O.FIRST_CLAIMED_AT, clock.now());
    row.put(O.GATE_RECEIPTS, receipts());
    row.put(O.CLAIM_ID, Parameters.CLAIM_ID);
    row.put(O.WORKER, Parameters.of(O.WORKER));
    row.put(O.NAMESPACE, Parameters.of(O.NAMESPACE));
    row.put(O.WORKFLOW_ID, Parameters.of(O.WORKFLOW_ID));
    row.put(O.RUN_ID, Parameters.of(O.RUN_ID));
    row.put(O.ACTIVITY_ID, Parameters.of(O.ACTIVITY_ID));
    row.put(O.ATTEMPT_NUMBER, Parameters.of(O.ATTEMPT_NUMBER));
    row.putAll(instants());
    return row;
  }

  /** Everything but the reservation anew; no instant from the row that was to be inserted. */
  private Map<Field<?>, Field<?>> nextClaim() {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(O.STATE, inline("in_progress"));
    row.put(O.REVISION, O.REVISION.plus(inline(1L)));
    row.put(O.OPEN_ATTEMPTS, O.OPEN_ATTEMPTS.plus(inline(1)));
    row.put(O.FENCING_TOKEN, nextToken());
    row.put(O.RELEASED, inline(false));
    row.put(O.RELEASE_SHA256, castNull(O.RELEASE_SHA256));
    row.put(O.DURABLE_CONFIRMED_AT, castNull(O.DURABLE_CONFIRMED_AT));
    row.put(
        O.FIRST_CLAIMED_AT,
        when(O.OPEN_ATTEMPTS.gt(inline(0)), O.FIRST_CLAIMED_AT).otherwise(clock.now()));
    row.put(O.GATE_RECEIPTS, EXCLUDED.GATE_RECEIPTS);
    row.put(O.CLAIM_ID, EXCLUDED.CLAIM_ID);
    row.put(O.WORKER, EXCLUDED.WORKER);
    row.put(O.NAMESPACE, EXCLUDED.NAMESPACE);
    row.put(O.WORKFLOW_ID, EXCLUDED.WORKFLOW_ID);
    row.put(O.RUN_ID, EXCLUDED.RUN_ID);
    row.put(O.ACTIVITY_ID, EXCLUDED.ACTIVITY_ID);
    row.put(O.ATTEMPT_NUMBER, EXCLUDED.ATTEMPT_NUMBER);
    row.putAll(instants());
    return row;
  }

  private Map<Field<?>, Field<?>> instants() {
    Field<Instant> deadline = clock.after(clock.now(), ClaimTerms.DISPATCH_WITHIN);
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(O.EXPIRES_AT, expiry());
    row.put(O.CLAIMED_AT, clock.now());
    row.put(O.DISPATCH_DEADLINE_AT, deadline);
    row.put(O.HORIZON_AT, clock.after(deadline, ClaimTerms.IN_FLIGHT));
    return row;
  }

  private Field<Long> firstToken() {
    return leaseOf == LeaseOf.OPERATION ? clock.nowMillis() : Parameters.FENCING_TOKEN;
  }

  private Field<Long> nextToken() {
    return leaseOf == LeaseOf.OPERATION
        ? greatest(O.FENCING_TOKEN.plus(inline(1L)), clock.nowMillis())
        : Parameters.FENCING_TOKEN;
  }

  private Field<Instant> expiry() {
    return leaseOf == LeaseOf.OPERATION
        ? clock.after(clock.now(), ClaimTerms.LEASE)
        : Parameters.of(O.EXPIRES_AT);
  }

  private Field<Long[]> receipts() {
    return gates.isEmpty()
        ? castNull(O.GATE_RECEIPTS)
        : array(gates.stream().map(GateTerms::receipt).toList());
  }
}
