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
 * Demotes an operation in progress whose lease is over, or whose shared resource was passed on, to
 * unknown; its attempt stays open.
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
 *     select o.expires_at as lease_end,
 *         exists (
 *           select 1 as one
 *           from resource as r
 *           where (r.scope = o.scope and r.resource_id = o.resource_id and r.fencing_token >
 *               o.fencing_token)) as passed_on
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fingerprint_scheme =
 *         :fingerprint_scheme and o.fingerprint_sha256 = :fingerprint_sha256 and o.generation
 *         = :generation and o.resource_id = :resource_id and o.state = 'in_progress')
 *     for update) as dead_row),
 * judged as materialized (
 *   select found.*, ledger_clock() as judged_at
 *   from found),
 * demoted as (
 *   update operation as o
 *   set state = 'unknown', revision = (o.revision + 1)
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and (lease_end <= judged_at or
 *       passed_on))
 *   returning o.scope, o.operation_id, o.fingerprint_scheme, o.fingerprint_sha256,
 *       o.generation, o.epoch, o.revision, judged_at),
 * observed as (
 *   insert into observation (scope, operation_id, observer, kind, disposition, closes_attempt,
 *       fingerprint_scheme, fingerprint_sha256, generation, epoch, observed_at)
 *   select scope, operation_id, 'none', 'lease_expired', 'demoted', false, fingerprint_scheme,
 *       fingerprint_sha256, generation, epoch, judged_at
 *   from demoted
 *   returning observation.observation_number)
 * select demoted.revision
 * from demoted
 * }</pre>
 */
final class DemoteStatement {
  private static final Operation O = OPERATION.as("o");
  private static final Resource R = RESOURCE.as("r");
  private static final Field<Boolean> PASSED_ON = field(name("passed_on"), SQLDataType.BOOLEAN);

  private final ScalarStatement statement;

  DemoteStatement(LedgerSql sql, CommitLevel level) {
    this.statement =
        ScalarStatement.of(sql, statement(StatementSettings.confirmed(level), sql.clock()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Whether a dead operation in progress was found and demoted. */
  boolean execute(Connection connection, Reservation reservation, Bindings settings)
      throws SQLException {
    Bindings values = Parameters.reservation(settings, reservation);
    return statement.query(connection, values, any -> true).orElse(false);
  }

  private static Query statement(CommonTableExpression<?> settings, PostgresClock clock) {
    Table<?> row =
        select(O.EXPIRES_AT.as(HeldRow.LEASE_END), field(passedOn()).as(PASSED_ON))
            .from(O)
            .where(sameRow())
            .and(O.FINGERPRINT_SCHEME.eq(Parameters.FINGERPRINT_SCHEME))
            .and(O.FINGERPRINT_SHA256.eq(Parameters.FINGERPRINT_SHA256))
            .and(O.GENERATION.eq(Parameters.GENERATION))
            .and(O.RESOURCE_ID.eq(Parameters.RESOURCE_ID))
            .and(O.STATE.eq(inline("in_progress")))
            .forUpdate()
            .asTable("dead_row");
    CommonTableExpression<?> found =
        name("found").asMaterialized(select(row.asterisk()).from(settings).crossJoin(lateral(row)));
    CommonTableExpression<?> judged =
        name("judged")
            .asMaterialized(
                select(found.asterisk(), clock.now().as(HeldRow.JUDGED_AT)).from(found));
    CommonTableExpression<?> demoted = demoted(judged);
    return with(settings, found, judged, demoted, observation(demoted))
        .select(demoted.field(O.REVISION))
        .from(demoted);
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

  private static CommonTableExpression<?> demoted(CommonTableExpression<?> judged) {
    return name("demoted")
        .as(
            update(O)
                .set(O.STATE, inline("unknown"))
                .set(O.REVISION, O.REVISION.plus(inline(1L)))
                .from(judged)
                .where(sameRow())
                .and(HeldRow.LEASE_END.le(HeldRow.JUDGED_AT).or(PASSED_ON))
                .returningResult(
                    O.SCOPE,
                    O.OPERATION_ID,
                    O.FINGERPRINT_SCHEME,
                    O.FINGERPRINT_SHA256,
                    O.GENERATION,
                    O.EPOCH,
                    O.REVISION,
                    HeldRow.JUDGED_AT));
  }

  private static CommonTableExpression<?> observation(CommonTableExpression<?> demoted) {
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
                .select(select(row.values()).from(demoted))
                .returningResult(OBSERVATION.OBSERVATION_NUMBER));
  }
}
