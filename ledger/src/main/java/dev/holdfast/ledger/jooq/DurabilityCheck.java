package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.DefaultSchema.DEFAULT_SCHEMA;
import static dev.holdfast.ledger.jooq.generated.Tables.LEDGER_SCHEMA;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.LedgerRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * What a ledger is asked before it is used: whether this database can keep the promise at all. Each
 * refusal names its cure.
 */
final class DurabilityCheck {
  /** Schemas that demand more are of a later library. */
  static final int LIBRARY = 1;

  private static final Field<Long> TABLES = field(name("tables"), SQLDataType.BIGINT);
  private static final Field<Long> UNLOGGED = field(name("unlogged"), SQLDataType.BIGINT);
  private static final Field<String> FSYNC = field(name("fsync"), SQLDataType.VARCHAR);
  private static final Field<String> FULL_PAGES =
      field(name("full_page_writes"), SQLDataType.VARCHAR);
  private static final Field<String> READ_ONLY =
      field(name("transaction_read_only"), SQLDataType.VARCHAR);
  private static final Field<Boolean> STANDBY = field(name("standby"), SQLDataType.BOOLEAN);
  private static final Field<String> SYSTEM = field(name("system_now"), SQLDataType.VARCHAR);
  private static final Field<Long> TIMELINE = field(name("timeline_now"), SQLDataType.BIGINT);

  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final ScalarStatement server;
  private final ScalarStatement schema;

  /** Where the ledger was migrated last, and where it is. */
  record Whereabouts(LedgerPosition known, LedgerPosition now) {}

  /** What the server said of itself. */
  private record Found(
      long tables,
      long unlogged,
      String fsync,
      String fullPages,
      String readOnly,
      boolean standby) {}

  private record Schema(int minimumLibrary, Whereabouts whereabouts) {}

  DurabilityCheck(LedgerConnection connection, LedgerSql sql, LedgerOptions options) {
    this.connection = connection;
    this.options = options;
    this.server = ScalarStatement.of(sql, serverQuery(options.schema()));
    this.schema =
        ScalarStatement.of(
            sql,
            select(
                    LEDGER_SCHEMA.MINIMUM_LIBRARY,
                    LEDGER_SCHEMA.SYSTEM_ID,
                    LEDGER_SCHEMA.TIMELINE,
                    sql.clock().systemId().as(SYSTEM),
                    sql.clock().timeline().as(TIMELINE))
                .from(LEDGER_SCHEMA));
  }

  /**
   * Asks, and yields where the ledger lives.
   *
   * @throws LedgerRefusedException where the promise cannot be kept
   */
  Whereabouts run() {
    Duration patience = options.networkTimeout();
    Found found = connection.autocommit(patience, this::ask);
    refuseServer(found);
    refuseTables(found);
    Schema migrated = connection.autocommit(patience, this::askSchema);
    if (migrated.minimumLibrary() > LIBRARY) {
      refuse(
          "the ledger's schema demands library version "
              + migrated.minimumLibrary()
              + " and this is "
              + LIBRARY
              + ": upgrade the library");
    }
    return migrated.whereabouts();
  }

  private static void refuseServer(Found found) {
    if (found.standby()) {
      refuse("the ledger's server is a standby: connect to the primary");
    }
    if (found.readOnly().equals("on")) {
      refuse(
          "the ledger's sessions are read-only: set default_transaction_read_only to off for them");
    }
    if (!found.fsync().equals("on")) {
      refuse("the ledger's server may lose what it acknowledged: set fsync to on");
    }
    if (!found.fullPages().equals("on")) {
      refuse("the ledger's server may tear pages in a crash: set full_page_writes to on");
    }
  }

  private void refuseTables(Found found) {
    if (found.tables() < DEFAULT_SCHEMA.getTables().size()) {
      refuse(
          "schema "
              + options.schema()
              + " holds no complete ledger: call JooqLedger.migrate(dataSource) first");
    }
    if (found.unlogged() > 0) {
      refuse(
          "schema "
              + options.schema()
              + " holds unlogged tables, which a crash empties: alter table ... set logged");
    }
  }

  private static void refuse(String message) {
    throw new LedgerRefusedException(message);
  }

  private Found ask(Connection asked) throws SQLException {
    return server
        .query(
            asked,
            new Bindings(),
            row ->
                new Found(
                    row.number(TABLES),
                    row.number(UNLOGGED),
                    row.givenText(FSYNC),
                    row.givenText(FULL_PAGES),
                    row.givenText(READ_ONLY),
                    row.flag(STANDBY)))
        .orElseThrow(() -> new IllegalStateException("a server that says nothing of itself"));
  }

  private Schema askSchema(Connection asked) throws SQLException {
    return schema
        .query(
            asked,
            new Bindings(),
            row ->
                new Schema(
                    row.integer(LEDGER_SCHEMA.MINIMUM_LIBRARY),
                    new Whereabouts(
                        new LedgerPosition(
                            row.givenText(LEDGER_SCHEMA.SYSTEM_ID),
                            row.number(LEDGER_SCHEMA.TIMELINE)),
                        new LedgerPosition(row.givenText(SYSTEM), row.number(TIMELINE)))))
        .orElseThrow(() -> new LedgerRefusedException("the ledger's schema has lost its version"));
  }

  private static Query serverQuery(String schema) {
    Table<?> classes = table(name("pg_catalog", "pg_class"));
    Table<?> namespaces = table(name("pg_catalog", "pg_namespace"));
    Field<Long> oid = field(name("oid"), SQLDataType.BIGINT);
    Field<String> relation = field(name("relname"), SQLDataType.VARCHAR);
    Field<String> persistence = field(name("relpersistence"), SQLDataType.VARCHAR);
    return select(
            count().cast(SQLDataType.BIGINT).as(TABLES),
            count(when(persistence.eq(inline("u")), inline(1)))
                .cast(SQLDataType.BIGINT)
                .as(UNLOGGED),
            setting("fsync").as(FSYNC),
            setting("full_page_writes").as(FULL_PAGES),
            setting("transaction_read_only").as(READ_ONLY),
            function(name("pg_is_in_recovery"), SQLDataType.BOOLEAN).as(STANDBY))
        .from(classes)
        .where(relation.in(ledgerTables()))
        .and(
            field(name("relnamespace"), SQLDataType.BIGINT)
                .eq(
                    select(oid)
                        .from(namespaces)
                        .where(field(name("nspname"), SQLDataType.VARCHAR).eq(inline(schema)))));
  }

  private static List<Field<String>> ledgerTables() {
    return DEFAULT_SCHEMA.getTables().stream()
        .map(ledgerTable -> inline(ledgerTable.getName(), SQLDataType.VARCHAR))
        .<Field<String>>map(name -> name)
        .toList();
  }

  private static Field<String> setting(String setting) {
    return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting));
  }
}
