package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.LEDGER_SCHEMA;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import dev.holdfast.ledger.LedgerRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Brings a schema to this library's version in one transaction on one connection, behind one lock:
 * all of it or nothing, whoever comes second waits and finds it done, a pool of one is enough.
 */
final class Migration {
  private static final String HISTORY = "holdfast_schema_history";
  private static final String LOCATION = "classpath:dev/holdfast/ledger/migration";
  private static final String SEARCH_PATH = "search_path";

  /** Any number that other programs do not use for theirs. */
  private static final long LOCK = 0x686f6c6466617374L;

  /** 10 min: who comes second waits for the first, and a migration may rewrite a table. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final DataSource source;
  private final LedgerSql sql;
  private final String schema;

  Migration(DataSource source, LedgerOptions options) {
    this.source = source;
    this.sql = new LedgerSql(options.schema());
    this.schema = options.schema();
  }

  void run() {
    int applied = new LedgerConnection(source).transaction(PATIENCE, this::migrate);
    if (applied < 0) {
      throw new IllegalStateException("fewer than no migrations");
    }
  }

  private int migrate(Connection connection) throws SQLException {
    DSLContext dsl = DSL.using(sql.configuration().derive(connection));
    dsl.select(function(name("pg_advisory_xact_lock"), SQLDataType.OTHER, inline(LOCK))).execute();
    Field<String> path =
        function(name("current_setting"), SQLDataType.VARCHAR, inline(SEARCH_PATH));
    String before = Objects.requireNonNull(dsl.select(path).fetchSingle(path));
    try {
      int applied = flyway(new OneConnection(connection)).migrate().migrationsExecuted;
      knowServer(dsl);
      // a rollback restores it by itself
      dsl.select(setPath(before)).execute();
      return applied;
    } catch (FlywayException e) {
      throw new LedgerRefusedException(
          "the ledger's schema cannot be migrated and was left as it was: " + e.getErrorCode());
    }
  }

  /**
   * Who migrates again has looked what a failover or a restore cost, and ends the warning of it.
   */
  private void knowServer(DSLContext dsl) {
    Field<String> system = sql.clock().systemId();
    Field<Long> timeline = sql.clock().timeline();
    dsl.update(LEDGER_SCHEMA)
        .set(LEDGER_SCHEMA.SYSTEM_ID, system)
        .set(LEDGER_SCHEMA.TIMELINE, timeline)
        .where(LEDGER_SCHEMA.SYSTEM_ID.ne(system))
        .or(LEDGER_SCHEMA.TIMELINE.ne(timeline))
        .execute();
  }

  private Flyway flyway(DataSource one) {
    return Flyway.configure(Migration.class.getClassLoader())
        .dataSource(one)
        .schemas(schema)
        .table(HISTORY)
        .locations(LOCATION)
        .placeholderReplacement(false)
        .load();
  }

  private static Field<String> setPath(String path) {
    return function(
        name("set_config"), SQLDataType.VARCHAR, inline(SEARCH_PATH), inline(path), inline(false));
  }
}
