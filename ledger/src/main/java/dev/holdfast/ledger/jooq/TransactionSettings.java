package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import java.time.Duration;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Settings of a transaction of several statements; they are gone with it. */
final class TransactionSettings {
  private static final String LOCK_TIMEOUT = "lock_timeout";
  private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";
  private static final Field<Long> NUMBER = function(name("txid_current"), SQLDataType.BIGINT);
  private static final Field<String> ISOLATION = current("transaction_isolation");

  private TransactionSettings() {}

  /**
   * What a transaction is.
   *
   * @param number by which the server knows it
   * @param isolation its level, in the server's words
   */
  record Known(long number, String isolation) {}

  /**
   * Waits for locks no longer than that, and is durable at its commit whatever the session's level.
   */
  static Known apply(DSLContext dsl, CommitLevel level, Duration lockTimeout) {
    Field<String> enough =
        when(current(SYNCHRONOUS_COMMIT).eq(inline("remote_apply")), inline("remote_apply"))
            .otherwise(inline(level.setting()));
    Record2<Long, String> row =
        dsl.select(NUMBER, ISOLATION)
            .select(
                set(inline(LOCK_TIMEOUT), val(millis(lockTimeout) + "ms")),
                set(inline(SYNCHRONOUS_COMMIT), enough))
            .fetchSingle()
            .into(NUMBER, ISOLATION);
    return new Known(
        Objects.requireNonNull(row.value1(), "number"),
        Objects.requireNonNull(row.value2(), "isolation"));
  }

  /**
   * Bounds statements, pauses between them, and where the server can (17 and later) the whole
   * transaction. What the session bounds more strictly stays.
   */
  static void bound(DSLContext dsl, Duration rest) {
    Table<?> settings = table(name("pg_catalog", "pg_settings"));
    Field<String> setting = DSL.field(name("name"), SQLDataType.VARCHAR);
    Field<Long> present =
        nullif(DSL.field(name("setting"), SQLDataType.VARCHAR).cast(SQLDataType.BIGINT), 0L);
    dsl.select(set(setting, least(present, val(millis(rest))).cast(SQLDataType.VARCHAR)))
        .from(settings)
        .where(
            setting.in(
                "statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"))
        .fetch();
  }

  static Field<String> current(String setting) {
    return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting));
  }

  private static Field<String> set(Field<String> setting, Field<String> value) {
    return function(name("set_config"), SQLDataType.VARCHAR, setting, value, inline(true));
  }

  private static long millis(Duration span) {
    return Math.max(1, span.toMillis());
  }
}
