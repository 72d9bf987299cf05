package dev.holdfast.ledger.testbed;

import dev.holdfast.ledger.jooq.JooqLedger;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL that was started for tests: the one of this JVM, with a migrated database that every
 * test's own is cloned from, or one that stands behind an {@link OwnServer}.
 */
final class EmbeddedServer {
  static final String SUPERUSER = "postgres";
  static final String SCHEMA = "holdfast";
  private static final String TEMPLATE = "ledger_template";
  // sixteen callers over a pool each, beside everybody's own connections
  private static final String CONNECTIONS = "300";
  private static final AtomicInteger CLONES = new AtomicInteger();

  private final EmbeddedPostgres postgres;

  private EmbeddedServer(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  private static final class Running {
    static final EmbeddedServer ONE = start();
  }

  /** Starts it on first use; it ends with the JVM. */
  static EmbeddedServer running() {
    return Running.ONE;
  }

  private static EmbeddedServer start() {
    EmbeddedServer server = start(builder());
    server.createMigrated(TEMPLATE);
    return server;
  }

  /** As every server starts here, before a test's own settings. */
  static EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setServerConfig("fsync", "on")
        .setServerConfig("full_page_writes", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("max_connections", CONNECTIONS)
        .setServerConfig("timezone", "America/St_Johns");
  }

  static EmbeddedServer start(EmbeddedPostgres.Builder settings) {
    try {
      return new EmbeddedServer(settings.start());
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not start", e);
    }
  }

  /** A new database of this name with all tables and no rows. */
  void createMigrated(String name) {
    execute("create database " + name);
    JooqLedger.migrate(dataSource(name));
  }

  /** Stops it, waiting for what it has begun. */
  void stop() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not stop", e);
    }
  }

  /** A new migrated database; yields its name. */
  String cloneTemplate() {
    String name = "ledger_" + CLONES.incrementAndGet();
    execute("create database " + name + " template " + TEMPLATE);
    return name;
  }

  /** A new database without anything in it; yields its name. */
  String createEmpty() {
    String name = "empty_" + CLONES.incrementAndGet();
    execute("create database " + name);
    return name;
  }

  /** Drops a database, whoever is still connected to it. */
  void drop(String database) {
    execute("drop database if exists " + database + " with (force)");
  }

  /** Each connection is a new one, of a superuser, with the driver's settings as they come. */
  PGSimpleDataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"localhost"});
    source.setPortNumbers(new int[] {port()});
    source.setDatabaseName(database);
    source.setUser(SUPERUSER);
    source.setSslmode("disable");
    return source;
  }

  int port() {
    return postgres.getPort();
  }

  private void execute(String sql) {
    try (Connection connection = dataSource(SUPERUSER).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
