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

/** Claims one operation: reserves, acquires and records the attempt in one upsert of one row. */
final class ClaimStatement {
  static final Field<Long> GRANTED_TOKEN = field(name("granted_token"), SQLDataType.BIGINT);
  static final Field<Long> GRANTED_REVISION = field(name("granted_revision"), SQLDataType.BIGINT);
  static final Field<Integer> GRANTED_EPOCH = field(name("granted_epoch"), SQLDataType.INTEGER);
  static final Field<Long> GRANTED_KEY_LEFT =
      field(name("granted_key_left_us"), SQLDataType.BIGINT);

  private static final Operation O = OPERATION.as("o");
  private static final Operation EXCLUDED = OPERATION.as("excluded");

  private final PostgresClock clock;
  private final List<GateTerms> gates;
  private final ClaimGuard guard;
  private final LeaseOf leaseOf;
  private final ScalarStatement statement;

  ClaimStatement(LedgerSql sql, CommitLevel level, LeaseOf leaseOf, int gateCount) {
    this.leaseOf = leaseOf;
    this.clock = sql.clock();
    this.guard = new ClaimGuard(leaseOf, clock);
    this.gates = IntStream.rangeClosed(1, gateCount).mapToObj(GateTerms::new).toList();
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
        .query(connection, values, row -> ClaimAnswer.read(row, gates))
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
      open = open.and(gate.seenOpen());
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
    row.putAll(attempt());
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
    row.putAll(attempt());
    return row;
  }

  private Map<Field<?>, Field<?>> attempt() {
    Field<Instant> deadline = clock.after(clock.now(), ClaimTerms.DISPATCH_WITHIN);
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(O.CLAIM_ID, Parameters.CLAIM_ID);
    row.put(O.WORKER, Parameters.of(O.WORKER));
    row.put(O.EXPIRES_AT, expiry());
    row.put(O.NAMESPACE, Parameters.of(O.NAMESPACE));
    row.put(O.WORKFLOW_ID, Parameters.of(O.WORKFLOW_ID));
    row.put(O.RUN_ID, Parameters.of(O.RUN_ID));
    row.put(O.ACTIVITY_ID, Parameters.of(O.ACTIVITY_ID));
    row.put(O.ATTEMPT_NUMBER, Parameters.of(O.ATTEMPT_NUMBER));
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
