package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.SelectJoinStep;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** Claims one operation: reserves, acquires and records the attempt in one upsert of one row. */
final class ClaimStatement {
  static final Field<Boolean> SAME_FINGERPRINT = flag("same_fingerprint");
  static final Field<Boolean> SAME_GENERATION = flag("same_generation");
  static final Field<Boolean> SAME_RESOURCE = flag("same_resource");
  static final Field<Boolean> CLAIMABLE = flag("claimable");
  static final Field<Long> LEASE_LEFT = micros("lease_left_us");
  static final Field<Long> KEY_LEFT = micros("key_left_us");
  static final Field<Long> GRANTED_TOKEN = micros("granted_token");
  static final Field<Long> GRANTED_REVISION = micros("granted_revision");
  static final Field<Integer> GRANTED_EPOCH = field(name("granted_epoch"), SQLDataType.INTEGER);
  static final Field<Long> GRANTED_KEY_LEFT = micros("granted_key_left_us");

  private static final Operation O = OPERATION.as("o");
  private static final Operation EXCLUDED = OPERATION.as("excluded");
  private static final Field<String> STATE = field(name(O.STATE.getName()), SQLDataType.VARCHAR);
  private static final String LEASE = "lease";
  private static final String DISPATCH_WITHIN = "dispatch_within";
  private static final String IN_FLIGHT = "in_flight";
  private static final String KEY_USABLE = "key_usable";
  private static final Param<Boolean> ROLLED_BACK = param("rolled_back", SQLDataType.BOOLEAN);
  private static final Param<Instant> EXPIRES_AT = Parameters.of(OPERATION.EXPIRES_AT);

  /** No upstream is asked to remember a key that long; and no instant overflows. */
  private static final Duration WITHOUT_BOUND = Duration.ofDays(36500);

  /** Whose lease the claim takes. */
  enum LeaseOf {
    /** The operation's own. */
    OPERATION,
    /** The shared resource's, whose row this transaction has taken already. */
    RESOURCE
  }

  private final LeaseOf leaseOf;
  private final PostgresClock clock;
  private final List<GateTerms> gates;
  private final ScalarStatement statement;

  ClaimStatement(LedgerSql sql, CommitLevel level, LeaseOf leaseOf, int gateCount) {
    this.leaseOf = leaseOf;
    this.clock = sql.clock();
    this.gates = IntStream.rangeClosed(1, gateCount).mapToObj(GateTerms::new).toList();
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.confirmed(level)));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Claims; the lease's token and end are given where the resource was taken before. */
  ClaimAnswer execute(
      Connection connection, ClaimRequest request, Bindings settings, ResourceGrant... taken)
      throws SQLException {
    Bindings values = Parameters.reservation(settings, request.reservation());
    bindTerms(values, request);
    bindOrigin(values, request.origin());
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).bind(values, request.gates().get(i));
    }
    for (ResourceGrant grant : taken) {
      grant.bind(values);
    }
    return statement
        .query(connection, values, row -> ClaimAnswer.read(row, gates))
        .orElseThrow(() -> new IllegalStateException("a claim without an answer"));
  }

  private static void bindTerms(Bindings values, ClaimRequest request) {
    values.set(Parameters.CLAIM_ID.getName(), request.claimId().value());
    values.set(O.WORKER.getName(), request.worker().value());
    Parameters.span(values, LEASE, request.leaseFor());
    Parameters.span(values, DISPATCH_WITHIN, request.dispatchWithin());
    Parameters.span(values, IN_FLIGHT, request.inFlight());
    bindRule(values, request.rule());
  }

  private static void bindRule(Bindings values, OpenAttemptRule rule) {
    switch (rule) {
      case OpenAttemptRule.RolledBack done -> {
        values.set(ROLLED_BACK.getName(), true);
        Parameters.span(values, KEY_USABLE, WITHOUT_BOUND);
      }
      case OpenAttemptRule.SameKeyAgain again -> {
        values.set(ROLLED_BACK.getName(), false);
        Parameters.span(values, KEY_USABLE, again.usable());
      }
    }
  }

  private static void bindOrigin(Bindings values, AttemptOrigin origin) {
    values
        .set(O.NAMESPACE.getName(), origin.namespace())
        .set(O.WORKFLOW_ID.getName(), origin.workflowId())
        .set(O.RUN_ID.getName(), origin.runId())
        .set(O.ACTIVITY_ID.getName(), origin.activityId())
        .set(O.ATTEMPT_NUMBER.getName(), origin.attemptNumber());
  }

  private org.jooq.Query statement(CommonTableExpression<?> settings) {
    CommonTableExpression<?> seen = seen(settings);
    List<CommonTableExpression<?>> required =
        gates.stream().<CommonTableExpression<?>>map(gate -> gate.seen(settings)).toList();
    CommonTableExpression<?> claimed = claimed(seen, required);
    List<CommonTableExpression<?>> locked =
        gates.stream().<CommonTableExpression<?>>map(gate -> gate.locked(claimed)).toList();

    List<CommonTableExpression<?>> parts = new ArrayList<>(List.of(settings, seen));
    parts.addAll(required);
    parts.add(claimed);
    parts.addAll(locked);
    List<SelectFieldOrAsterisk> answer =
        new ArrayList<>(List.of(seen.asterisk(), claimed.asterisk()));
    SelectJoinStep<Record> from =
        with(parts.toArray(CommonTableExpression<?>[]::new))
            .select(answer(answer, required, locked))
            .from(seen)
            .leftOuterJoin(claimed)
            .on(trueCondition());
    for (CommonTableExpression<?> gate : required) {
      from = from.leftOuterJoin(gate).on(trueCondition());
    }
    for (CommonTableExpression<?> gate : locked) {
      from = from.leftOuterJoin(gate).on(trueCondition());
    }
    return from;
  }

  private static List<SelectFieldOrAsterisk> answer(
      List<SelectFieldOrAsterisk> answer,
      List<CommonTableExpression<?>> required,
      List<CommonTableExpression<?>> locked) {
    required.forEach(gate -> answer.add(gate.asterisk()));
    locked.forEach(gate -> answer.add(gate.asterisk()));
    return answer;
  }

  private CommonTableExpression<?> seen(CommonTableExpression<?> settings) {
    Table<?> existing =
        select(SeenOperation.COLUMNS)
            .select(
                field(sameFingerprint(O)).as(SAME_FINGERPRINT),
                field(O.GENERATION.eq(Parameters.GENERATION)).as(SAME_GENERATION),
                field(O.RESOURCE_ID.eq(Parameters.RESOURCE_ID)).as(SAME_RESOURCE),
                field(claimable(O)).as(CLAIMABLE),
                clock.microsLeft(O.EXPIRES_AT, clock.now()).as(LEASE_LEFT),
                clock.microsLeft(keyForgotten(O), clock.now()).as(KEY_LEFT))
            .from(O)
            .where(O.SCOPE.eq(Parameters.SCOPE))
            .and(O.OPERATION_ID.eq(Parameters.OPERATION_ID))
            .asTable("existing");
    return name("seen")
        .asMaterialized(
            select(existing.asterisk())
                .from(settings)
                .leftOuterJoin(lateral(existing))
                .on(trueCondition()));
  }

  private CommonTableExpression<?> claimed(
      CommonTableExpression<?> seen, List<CommonTableExpression<?>> required) {
    Map<Field<?>, Field<?>> first = firstClaim(required);
    SelectJoinStep<Record> source = select(first.values()).from(seen);
    Condition open = noCondition();
    for (int i = 0; i < required.size(); i++) {
      source = source.crossJoin(required.get(i));
      open = open.and(gates.get(i).seenOpen());
    }
    return name("claimed")
        .as(
            org.jooq
                .impl
                .DSL
                .insertInto(O)
                .columns(first.keySet())
                .select(source.where(STATE.isNull().or(CLAIMABLE)).and(open))
                .onConflict(O.SCOPE, O.OPERATION_ID)
                .doUpdate()
                .set(nextClaim(first))
                .where(claimable(O))
                .returningResult(
                    O.FENCING_TOKEN.as(GRANTED_TOKEN),
                    O.REVISION.as(GRANTED_REVISION),
                    O.EPOCH.as(GRANTED_EPOCH),
                    clock.microsLeft(keyForgotten(O), clock.now()).as(GRANTED_KEY_LEFT)));
  }

  private Map<Field<?>, Field<?>> firstClaim(List<CommonTableExpression<?>> required) {
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
    row.put(O.CLAIM_ID, Parameters.CLAIM_ID);
    row.put(O.WORKER, Parameters.of(O.WORKER));
    row.put(O.EXPIRES_AT, expiry());
    row.put(O.RELEASED, inline(false));
    row.put(O.NAMESPACE, Parameters.of(O.NAMESPACE));
    row.put(O.WORKFLOW_ID, Parameters.of(O.WORKFLOW_ID));
    row.put(O.RUN_ID, Parameters.of(O.RUN_ID));
    row.put(O.ACTIVITY_ID, Parameters.of(O.ACTIVITY_ID));
    row.put(O.ATTEMPT_NUMBER, Parameters.of(O.ATTEMPT_NUMBER));
    row.put(O.CLAIMED_AT, clock.now());
    row.put(O.FIRST_CLAIMED_AT, clock.now());
    row.put(O.DISPATCH_DEADLINE_AT, in(DISPATCH_WITHIN));
    row.put(O.HORIZON_AT, clock.after(in(DISPATCH_WITHIN), Parameters.seconds(IN_FLIGHT)));
    row.put(O.GATE_RECEIPTS, receipts(required));
    return row;
  }

  /** Everything but the reservation anew, and no instant from the row that was to be inserted. */
  private Map<Field<?>, Field<?>> nextClaim(Map<Field<?>, Field<?>> first) {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>(first);
    List.of(
            O.SCOPE,
            O.OPERATION_ID,
            O.FINGERPRINT_SCHEME,
            O.FINGERPRINT_SHA256,
            O.GENERATION,
            O.RESOURCE_ID,
            O.EPOCH,
            O.PENDING_EVIDENCE)
        .forEach(row::remove);
    row.put(O.REVISION, O.REVISION.plus(inline(1L)));
    row.put(O.OPEN_ATTEMPTS, O.OPEN_ATTEMPTS.plus(inline(1)));
    row.put(O.FENCING_TOKEN, nextToken());
    row.put(
        O.FIRST_CLAIMED_AT,
        when(O.OPEN_ATTEMPTS.gt(inline(0)), O.FIRST_CLAIMED_AT).otherwise(clock.now()));
    row.put(O.GATE_RECEIPTS, EXCLUDED.GATE_RECEIPTS);
    row.put(O.RELEASE_SHA256, castNull(O.RELEASE_SHA256));
    row.put(O.DURABLE_CONFIRMED_AT, castNull(O.DURABLE_CONFIRMED_AT));
    return row;
  }

  private Field<Long> firstToken() {
    return switch (leaseOf) {
      case OPERATION -> clock.nowMillis();
      case RESOURCE -> Parameters.FENCING_TOKEN;
    };
  }

  private Field<Long> nextToken() {
    return switch (leaseOf) {
      case OPERATION -> greatest(O.FENCING_TOKEN.plus(inline(1L)), clock.nowMillis());
      case RESOURCE -> Parameters.FENCING_TOKEN;
    };
  }

  private Field<Instant> expiry() {
    return switch (leaseOf) {
      case OPERATION -> in(LEASE);
      case RESOURCE -> EXPIRES_AT;
    };
  }

  private Field<Instant> in(String span) {
    return clock.after(clock.now(), Parameters.seconds(span));
  }

  private Field<Long[]> receipts(List<CommonTableExpression<?>> required) {
    if (required.isEmpty()) {
      return castNull(O.GATE_RECEIPTS);
    }
    return array(gates.stream().map(GateTerms::receipt).toList());
  }

  /** The guard; over the row as seen it only saves a write, over the newest row it decides. */
  private Condition claimable(Operation row) {
    return sameFingerprint(row)
        .and(row.GENERATION.eq(Parameters.GENERATION))
        .and(row.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
        .and(row.CLAIM_ID.ne(Parameters.CLAIM_ID))
        .and(isFree(row))
        .and(row.PENDING_EVIDENCE.eq(inline(0)))
        .and(row.PARKED_REASON.isNull())
        .and(row.OPEN_ATTEMPTS.eq(inline(0)).or(ROLLED_BACK).or(keyForgotten(row).gt(clock.now())));
  }

  private Condition isFree(Operation row) {
    Condition unknown = row.STATE.eq(inline("unknown"));
    Condition inProgress = row.STATE.eq(inline("in_progress"));
    return switch (leaseOf) {
      case OPERATION -> unknown.or(inProgress.and(row.EXPIRES_AT.le(clock.now())));
      case RESOURCE -> unknown.or(inProgress).and(row.FENCING_TOKEN.lt(Parameters.FENCING_TOKEN));
    };
  }

  private static Condition sameFingerprint(Operation row) {
    return row.FINGERPRINT_SCHEME
        .eq(Parameters.FINGERPRINT_SCHEME)
        .and(row.FINGERPRINT_SHA256.eq(Parameters.FINGERPRINT_SHA256));
  }

  private Field<Instant> keyForgotten(Operation row) {
    return clock.after(row.FIRST_CLAIMED_AT, Parameters.seconds(KEY_USABLE));
  }

  private static Field<Boolean> flag(String column) {
    return field(name(column), SQLDataType.BOOLEAN);
  }

  private static Field<Long> micros(String column) {
    return field(name(column), SQLDataType.BIGINT);
  }
}
