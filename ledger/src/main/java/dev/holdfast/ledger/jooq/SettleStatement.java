package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Sequences.RECEIPT_NUMBERS;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.HeldRow.WhenLocked;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Settles a verified success: operation and receipt in one statement, judged above the lock.
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit',
 *       case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply'
 *       else 'on' end, true) as synchronous_commit),
 * held as materialized (
 *   select synchronous_commit, held_row.*
 *   from settings
 *   cross join lateral (
 *     select o.expires_at as lease_end
 *     from operation as o
 *     where (o.scope = :scope and o.operation_id = :operation_id and o.fencing_token =
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.fingerprint_scheme =
 *         :fingerprint_scheme and o.fingerprint_sha256 = :fingerprint_sha256 and o.generation
 *         = :generation and o.epoch = :epoch and o.revision = :revision and o.state =
 *         'in_progress')
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * settled as (
 *   update operation as o
 *   set state = 'completed', revision = (o.revision + 1),
 *       open_attempts = (o.open_attempts - 1), result_kind = :result_kind, result = :result,
 *       result_sha256 = :result_sha256, response_sha256 = :response_sha256,
 *       upstream_status = :upstream_status, effect_id = :effect_id,
 *       receipt_number = nextval('receipt_numbers'), receipt_timeline = ledger_timeline(),
 *       settled_at = judged_at
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and lease_end >= judged_at +
 *       make_interval(secs => cast(:margin_seconds as double precision)))
 *   returning o.scope, o.operation_id, o.fencing_token, o.receipt_number, o.claim_id,
 *       o.resource_id, o.fingerprint_scheme, o.fingerprint_sha256, o.generation, o.epoch,
 *       o.response_sha256, o.upstream_status, o.effect_id, o.receipt_timeline, o.settled_at,
 *       synchronous_commit,
 *       cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us),
 * receipt_written as (
 *   insert into receipt (scope, operation_id, fencing_token, receipt_number, claim_id,
 *       resource_id, fingerprint_scheme, fingerprint_sha256, generation, epoch,
 *       response_sha256, upstream_status, effect_id, committed_at, timeline, margin_left_ms,
 *       source, adopted_receipt, fsync, full_page_writes, synchronous_commit)
 *   select scope, operation_id, fencing_token, receipt_number, claim_id, resource_id,
 *       fingerprint_scheme, fingerprint_sha256, generation, epoch, response_sha256,
 *       upstream_status, effect_id, settled_at, receipt_timeline, (lease_left_us / 1000),
 *       :source, cast(null as bigint), current_setting('fsync'),
 *       current_setting('full_page_writes'), synchronous_commit
 *   from settled
 *   returning receipt.receipt_number)
 * select cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us,
 * settled.receipt_number,
 * settled.receipt_timeline,
 * cast(extract(epoch from settled_at) * 1000000 as bigint) as settled_at_us
 * from judged
 * left outer join settled on true
 * }</pre>
 *
 * <pre>{@code
 * with settings as materialized (
 *   select set_config('lock_timeout', :lock_timeout, true) as lock_timeout,
 *       set_config('synchronous_commit',
 *       case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply'
 *       else 'on' end, true) as synchronous_commit),
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
 *         :fencing_token and o.claim_id = cast(:claim_id as uuid) and o.fingerprint_scheme =
 *         :fingerprint_scheme and o.fingerprint_sha256 = :fingerprint_sha256 and o.generation
 *         = :generation and o.epoch = :epoch and o.revision = :revision and o.state =
 *         'in_progress')
 *     for update) as held_row),
 * judged as materialized (
 *   select held.*, ledger_clock() as judged_at
 *   from held),
 * settled as (
 *   update operation as o
 *   set state = 'completed', revision = (o.revision + 1),
 *       open_attempts = (o.open_attempts - 1), result_kind = :result_kind, result = :result,
 *       result_sha256 = :result_sha256, response_sha256 = :response_sha256,
 *       upstream_status = :upstream_status, effect_id = :effect_id,
 *       receipt_number = nextval('receipt_numbers'), receipt_timeline = ledger_timeline(),
 *       settled_at = judged_at
 *   from judged
 *   where (o.scope = :scope and o.operation_id = :operation_id and lease_end >= judged_at +
 *       make_interval(secs => cast(:margin_seconds as double precision)))
 *   returning o.scope, o.operation_id, o.fencing_token, o.receipt_number, o.claim_id,
 *       o.resource_id, o.fingerprint_scheme, o.fingerprint_sha256, o.generation, o.epoch,
 *       o.response_sha256, o.upstream_status, o.effect_id, o.receipt_timeline, o.settled_at,
 *       synchronous_commit,
 *       cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us),
 * receipt_written as (
 *   insert into receipt (scope, operation_id, fencing_token, receipt_number, claim_id,
 *       resource_id, fingerprint_scheme, fingerprint_sha256, generation, epoch,
 *       response_sha256, upstream_status, effect_id, committed_at, timeline, margin_left_ms,
 *       source, adopted_receipt, fsync, full_page_writes, synchronous_commit)
 *   select scope, operation_id, fencing_token, receipt_number, claim_id, resource_id,
 *       fingerprint_scheme, fingerprint_sha256, generation, epoch, response_sha256,
 *       upstream_status, effect_id, settled_at, receipt_timeline, (lease_left_us / 1000),
 *       :source, cast(null as bigint), current_setting('fsync'),
 *       current_setting('full_page_writes'), synchronous_commit
 *   from settled
 *   returning receipt.receipt_number)
 * select cast(extract(epoch from lease_end - judged_at) * 1000000 as bigint) as lease_left_us,
 * settled.receipt_number,
 * settled.receipt_timeline,
 * cast(extract(epoch from settled_at) * 1000000 as bigint) as settled_at_us
 * from judged
 * left outer join settled on true
 * }</pre>
 */
final class SettleStatement {
  private static final Operation O = HeldRow.O;
  private static final String MARGIN = "margin";
  private static final Param<String> SOURCE = Parameters.of(RECEIPT.SOURCE);
  private static final Field<Long> LEASE_LEFT = field(name("lease_left_us"), SQLDataType.BIGINT);
  private static final Field<Long> SETTLED_AT = field(name("settled_at_us"), SQLDataType.BIGINT);

  private final PostgresClock clock;
  private final HeldRow row;
  private final ScalarStatement statement;

  /**
   * How a lease stood, and what was committed under it.
   *
   * @param committed null where too little of the lease was left
   */
  record Judged(Duration leaseLeft, @Nullable Committed committed) {}

  /** The receipt as written. */
  record Committed(long number, long timeline, Instant at) {}

  SettleStatement(LedgerSql sql, CommitLevel level, LeaseRows rows) {
    this.clock = sql.clock();
    this.row = new HeldRow(rows, WhenLocked.WAIT, clock);
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.confirmed(level)));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Empty where the guard missed; nothing was written then. */
  Optional<Judged> execute(
      Connection connection,
      Lease lease,
      VerifiedResponse response,
      StoredResult result,
      Bindings settings)
      throws SQLException {
    ResultColumns columns = ResultColumns.of(result);
    Bindings values = Parameters.holder(settings, lease);
    values
        .set(O.REVISION, lease.revision().value())
        .set(O.RESULT_KIND, columns.kind())
        .set(O.RESULT, columns.encoded())
        .set(O.RESULT_SHA256, columns.digest())
        .set(O.RESPONSE_SHA256, response.digest().bytes())
        .set(O.UPSTREAM_STATUS, response.status())
        .set(O.EFFECT_ID, response.effect().value())
        .set(SOURCE, source(response.grade()));
    Parameters.span(values, MARGIN, lease.margin().value());
    return statement.query(connection, values, SettleStatement::read);
  }

  private static String source(EvidenceGrade grade) {
    return grade.name().toLowerCase(Locale.ROOT);
  }

  private static Judged read(AnswerRow row) throws SQLException {
    Duration left = row.micros(LEASE_LEFT);
    if (!row.has(O.RECEIPT_NUMBER)) {
      return new Judged(left, null);
    }
    return new Judged(
        left,
        new Committed(
            row.number(O.RECEIPT_NUMBER),
            row.number(O.RECEIPT_TIMELINE),
            row.instantOfMicros(SETTLED_AT)));
  }

  private Query statement(CommonTableExpression<?> settings) {
    List<CommonTableExpression<?>> parts =
        new ArrayList<>(row.locked(settings, holds(), List.of()));
    CommonTableExpression<?> judged = parts.getLast();
    CommonTableExpression<?> settled = settled(judged);
    parts.add(settled);
    parts.add(receipt(settled));
    return with(parts.toArray(CommonTableExpression<?>[]::new))
        .select(
            row.leaseLeft().as(LEASE_LEFT),
            settled.field(O.RECEIPT_NUMBER),
            settled.field(O.RECEIPT_TIMELINE),
            clock.micros(Parameters.column(O.SETTLED_AT)).as(SETTLED_AT))
        .from(judged)
        .leftOuterJoin(settled)
        .on(trueCondition());
  }

  /** The compare of compare-and-set, besides key, token and claim id. */
  private static Condition holds() {
    return O.FINGERPRINT_SCHEME
        .eq(Parameters.FINGERPRINT_SCHEME)
        .and(O.FINGERPRINT_SHA256.eq(Parameters.FINGERPRINT_SHA256))
        .and(O.GENERATION.eq(Parameters.GENERATION))
        .and(O.EPOCH.eq(Parameters.EPOCH))
        .and(O.REVISION.eq(Parameters.REVISION))
        .and(O.STATE.eq(inline("in_progress")));
  }

  private CommonTableExpression<?> settled(CommonTableExpression<?> judged) {
    List<Field<?>> returned = new ArrayList<>(receiptOfOperation().values());
    returned.addAll(List.of(O.RECEIPT_TIMELINE, O.SETTLED_AT));
    returned.add(StatementSettings.LEVEL);
    returned.add(clock.microsLeft(HeldRow.LEASE_END, HeldRow.JUDGED_AT).as(LEASE_LEFT));
    return name("settled")
        .as(
            update(O)
                .set(O.STATE, inline("completed"))
                .set(O.REVISION, O.REVISION.plus(inline(1L)))
                .set(O.OPEN_ATTEMPTS, O.OPEN_ATTEMPTS.minus(inline(1)))
                .set(O.RESULT_KIND, Parameters.of(O.RESULT_KIND))
                .set(O.RESULT, Parameters.of(O.RESULT))
                .set(O.RESULT_SHA256, Parameters.of(O.RESULT_SHA256))
                .set(O.RESPONSE_SHA256, Parameters.of(O.RESPONSE_SHA256))
                .set(O.UPSTREAM_STATUS, Parameters.of(O.UPSTREAM_STATUS))
                .set(O.EFFECT_ID, Parameters.of(O.EFFECT_ID))
                .set(O.RECEIPT_NUMBER, RECEIPT_NUMBERS.nextval())
                .set(O.RECEIPT_TIMELINE, clock.timeline())
                .set(O.SETTLED_AT, HeldRow.JUDGED_AT)
                .from(judged)
                .where(HeldRow.sameRow())
                .and(
                    HeldRow.LEASE_END.ge(
                        clock.after(HeldRow.JUDGED_AT, Parameters.seconds(MARGIN))))
                .returningResult(returned));
  }

  /** What the receipt copies: which of its columns from which of the operation's. */
  private static Map<Field<?>, Field<?>> receiptOfOperation() {
    Map<Field<?>, Field<?>> copied = new LinkedHashMap<>();
    copied.put(RECEIPT.SCOPE, O.SCOPE);
    copied.put(RECEIPT.OPERATION_ID, O.OPERATION_ID);
    copied.put(RECEIPT.FENCING_TOKEN, O.FENCING_TOKEN);
    copied.put(RECEIPT.RECEIPT_NUMBER, O.RECEIPT_NUMBER);
    copied.put(RECEIPT.CLAIM_ID, O.CLAIM_ID);
    copied.put(RECEIPT.RESOURCE_ID, O.RESOURCE_ID);
    copied.put(RECEIPT.FINGERPRINT_SCHEME, O.FINGERPRINT_SCHEME);
    copied.put(RECEIPT.FINGERPRINT_SHA256, O.FINGERPRINT_SHA256);
    copied.put(RECEIPT.GENERATION, O.GENERATION);
    copied.put(RECEIPT.EPOCH, O.EPOCH);
    copied.put(RECEIPT.RESPONSE_SHA256, O.RESPONSE_SHA256);
    copied.put(RECEIPT.UPSTREAM_STATUS, O.UPSTREAM_STATUS);
    copied.put(RECEIPT.EFFECT_ID, O.EFFECT_ID);
    return copied;
  }

  private static CommonTableExpression<?> receipt(CommonTableExpression<?> settled) {
    Map<Field<?>, Field<?>> row = new LinkedHashMap<>();
    receiptOfOperation().forEach((column, source) -> row.put(column, Parameters.column(source)));
    row.put(RECEIPT.COMMITTED_AT, Parameters.column(O.SETTLED_AT));
    row.put(RECEIPT.TIMELINE, Parameters.column(O.RECEIPT_TIMELINE));
    row.put(RECEIPT.MARGIN_LEFT_MS, LEASE_LEFT.div(inline(1000L)));
    row.put(RECEIPT.SOURCE, SOURCE);
    row.put(RECEIPT.ADOPTED_RECEIPT, castNull(RECEIPT.ADOPTED_RECEIPT));
    row.put(RECEIPT.FSYNC, setting("fsync"));
    row.put(RECEIPT.FULL_PAGE_WRITES, setting("full_page_writes"));
    row.put(RECEIPT.SYNCHRONOUS_COMMIT, StatementSettings.LEVEL);
    return name("receipt_written")
        .as(
            insertInto(RECEIPT)
                .columns(row.keySet())
                .select(select(row.values()).from(settled))
                .returningResult(RECEIPT.RECEIPT_NUMBER));
  }

  private static Field<String> setting(String setting) {
    return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting));
  }
}
