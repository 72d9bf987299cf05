package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import dev.holdfast.ledger.jooq.generated.tables.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Parks an operation with an open attempt that only a person can tell about. One in progress whose
 * lease is over, or whose shared resource was passed on, is demoted to unknown with it. Token and
 * claim stay: the former holder's evidence is still its own. The token must be the one that the
 * reason was judged by: every claim and every act since has raised it, a reopen's too.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit',
 *       case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply'
 *       else 'on' end, true) as synchronous_commit),
 * found as materialized (
 *   select dead_row.*
 *   from settings
 *   cross join lateral (
 *     select o.state as found_state, o.expires_at as lease_end,
 *         exists (
 *           select 1 as one
 *           from resource as r
 *           where (r.scope = o.scope and r.resource_id = o.resource_id and r.fencing_token >
 *               o.fencing_token)) as passed_on
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fingerprint_scheme =
 *         :fingerprint_scheme and o.fingerprint_sha256 = :fingerprint_sha256 and o.generation
 *         = :generation and o.resource_id = :resource_id and o.fencing_token = :fencing_token
 *         and o.state in ('unknown', 'in_progress') and o.parked_reason is null and
 *         o.pending_evidence = 0 and o.open_attempts > 0)
 *     for update) as dead_row),
 * judged as materialized (
 *   select found.*, ledger_clock() as judged_at
 *   from found),
 * parked as (
 *   update operation as o
 *   set state = 'unknown', parked_reason = :parked_reason, attention_at = judged_at,
 *       revision = (o.revision + 1)
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and (found_state = 'unknown' or
 *       lease_end <= judged_at or passed_on))
 *   returning o.scope, o.operation_id, o.fingerprint_scheme, o.fingerprint_sha256,
 *       o.generation, o.epoch, o.revision, found_state, judged_at),
 * observed as (
 *   insert into observation (scope, operation_id, observer, kind, disposition, closes_attempt,
 *       fingerprint_scheme, fingerprint_sha256, generation, epoch, observed_at)
 *   select scope, operation_id, 'none', 'lease_expired', 'demoted', false, fingerprint_scheme,
 *       fingerprint_sha256, generation, epoch, judged_at
 *   from parked
 *   where found_state = 'in_progress'
 *   returning observation.observation_number)
 * select parked.revision
 * from parked
 * }</pre>
 */
final class ParkStatement {
  private static final Operation O = OPERATION.as("o");
  private static final Resource R = RESOURCE.as("r");
  private static final Field<Boolean> PASSED_ON = field(name("passed_on"), SQLDataType.BOOLEAN);
  private static final Field<String> FOUND_STATE = field(name("found_state"), SQLDataType.VARCHAR);
  private static final String UNKNOWN = "unknown";
  private static final String IN_PROGRESS = "in_progress";

  private final ScalarStatement statement;

  ParkStatement(LedgerSql sql, CommitLevel level) {
    this.statement =
        ScalarStatement.of(sql, statement(StatementSettings.confirmed(level), sql.clock()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /**
   * Whether there was an open attempt of nobody's live lease, and nothing else to go by.
   *
   * @param token as it was when the reason was judged
   */
  boolean execute(
      Connection connection, Reservation reservation, long token, String reason, Bindings settings)
      throws SQLException {
    Bindings values =
        Parameters.reservation(settings, reservation)
            .set(Parameters.FENCING_TOKEN, token)
            .set(O.PARKED_REASON, reason);
    return statement.query(connection, values, any -> true).orElse(false);
  }

  private static Query statement(CommonTableExpression<?> settings, PostgresClock clock) {
    Table<?> row =
        select(
                O.STATE.as(FOUND_STATE),
                O.EXPIRES_AT.as(HeldRow.LEASE_END),
                field(passedOn()).as(PASSED_ON))
            .from(O)
            .where(sameRow())
            .and(O.FINGERPRINT_SCHEME.eq(Parameters.FINGERPRINT_SCHEME))
            .and(O.FINGERPRINT_SHA256.eq(Parameters.FINGERPRINT_SHA256))
            .and(O.GENERATION.eq(Parameters.GENERATION))
            .and(O.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
            .and(O.FENCING_TOKEN.eq(Parameters.FENCING_TOKEN))
            .and(O.STATE.in(inline(UNKNOWN), inline(IN_PROGRESS)))
            .and(O.PARKED_REASON.isNull())
            .and(O.PENDING_EVIDENCE.eq(inline(0)))
            .and(O.OPEN_ATTEMPTS.gt(inline(0)))
            .forUpdate()
            .asTable("dead_row");
    CommonTableExpression<?> found =
        name("found").asMaterialized(select(row.asterisk()).from(settings).crossJoin(lateral(row)));
    CommonTableExpression<?> judged =
        name("judged")
            .asMaterialized(
                select(found.asterisk(), clock.now().as(HeldRow.JUDGED_AT)).from(found));
    CommonTableExpression<?> parked = parked(judged);
    return with(settings, found, judged, parked, observation(parked))
        .select(parked.field(O.REVISION))
        .from(parked);
  }

  /**
   * Whether another operation has taken the shared resource since. Read without a lock, and sound:
   * tokens never fall, so that a higher one than the locked row's stays higher.
   */
  private static Condition passedOn() {
    return exists(
        selectOne()
            .from(R)
            .where(R.SCOPE.eq(O.SCOPE))
            .and(R.RESOURCE_ID.eq(O.RESOURCE_ID))
            .and(R.FENCING_TOKEN.gt(O.FENCING_TOKEN)));
  }

  private static Condition sameRow() {
    return O.SCOPE.eq(Parameters.SCOPE).and(O.OPERATION_ID.eq(Parameters.OPERATION_ID));
  }

  private static CommonTableExpression<?> parked(CommonTableExpression<?> judged) {
    return name("parked")
        .as(
            update(O)
                .set(O.STATE, inline(UNKNOWN))
                .set(O.PARKED_REASON, Parameters.of(O.PARKED_REASON))
                .set(O.ATTENTION_AT, HeldRow.JUDGED_AT)
                .set(O.REVISION, O.REVISION.plus(inline(1L)))
                .from(judged)
                .where(sameRow())
                .and(
                    FOUND_STATE
                        .eq(inline(UNKNOWN))
                        .or(HeldRow.LEASE_END.le(HeldRow.JUDGED_AT))
                        .or(PASSED_ON))
                .returningResult(
                    O.SCOPE,
                    O.OPERATION_ID,
                    O.FINGERPRINT_SCHEME,
                    O.FINGERPRINT_SHA256,
                    O.GENERATION,
                    O.EPOCH,
                    O.REVISION,
                    FOUND_STATE,
                    HeldRow.JUDGED_AT));
  }

  private static CommonTableExpression<?> observation(CommonTableExpression<?> parked) {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    row.put(OBSERVATION.SCOPE, Parameters.column(O.SCOPE));
    row.put(OBSERVATION.OPERATION_ID, Parameters.column(O.OPERATION_ID));
    row.put(OBSERVATION.OBSERVER, inline("none"));
    row.put(OBSERVATION.KIND, inline("lease_expired"));
    row.put(OBSERVATION.DISPOSITION, inline("demoted"));
    row.put(OBSERVATION.CLOSES_ATTEMPT, inline(false));
    row.put(OBSERVATION.FINGERPRINT_SCHEME, Parameters.column(O.FINGERPRINT_SCHEME));
    row.put(OBSERVATION.FINGERPRINT_SHA256, Parameters.column(O.FINGERPRINT_SHA256));
    row.put(OBSERVATION.GENERATION, Parameters.column(O.GENERATION));
    row.put(OBSERVATION.EPOCH, Parameters.column(O.EPOCH));
    row.put(OBSERVATION.OBSERVED_AT, Parameters.column(HeldRow.JUDGED_AT));
    return name("observed")
        .as(
            insertInto(OBSERVATION)
                .columns(row.keySet())
                .select(
                    select(row.values()).from(parked).where(FOUND_STATE.eq(inline(IN_PROGRESS))))
                .returningResult(OBSERVATION.OBSERVATION_NUMBER));
  }
}
