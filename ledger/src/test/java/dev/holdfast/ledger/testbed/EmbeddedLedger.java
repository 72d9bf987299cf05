package dev.holdfast.ledger.testbed;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A migrated ledger in a database of its own, on a real PostgreSQL with {@code fsync}, {@code
 * full_page_writes} and {@code synchronous_commit} on.
 *
 * <p>A test class asks for one by {@link LedgerExtension}, or makes and closes one itself. Starting
 * the first one of a JVM takes seconds, each further one a fraction of one. Safe for use by many
 * threads.
 */
public final class EmbeddedLedger implements AutoCloseable {
  /** The schema that the tables stand in; no data source has it on its search path. */
  public static final String SCHEMA = EmbeddedServer.SCHEMA;

  private final EmbeddedServer server;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final String database;

  EmbeddedLedger(EmbeddedServer server, String database) {
    this.server = server;
    this.database = database;
  }

  /** A fresh one with all tables and no rows. */
  public static EmbeddedLedger fresh() {
    EmbeddedServer server = EmbeddedServer.running();
    return new EmbeddedLedger(server, server.cloneTemplate());
  }

  /** A database in which nobody migrated anything. */
  public static EmbeddedLedger unmigrated() {
    EmbeddedServer server = EmbeddedServer.running();
    return new EmbeddedLedger(server, server.createEmpty());
  }

  /** A new connection at each call, as a user's driver hands them out. */
  public PGSimpleDataSource dataSource() {
    return server.dataSource(database);
  }

  /** The same, by way of a proxy that was opened in front of {@link #port()}. */
  public PGSimpleDataSource dataSource(CountingProxy proxy) {
    PGSimpleDataSource source = dataSource();
    source.setPortNumbers(new int[] {proxy.port()});
    return source;
  }

  /** A pool of this many connections; it is closed with this ledger. */
  public HikariDataSource pool(int connections) {
    return pool(dataSource(), connections);
  }

  /** A pool over any data source of this ledger; it is closed with this ledger. */
  public HikariDataSource pool(DataSource source, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(connections);
    HikariDataSource pool = new HikariDataSource(config);
    synchronized (pools) {
      pools.add(pool);
    }
    return pool;
  }

  /** A superuser's connection with the ledger's schema on its search path. */
  public Connection superuser() {
    try {
      return fixtureSource().getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException("no fixture connection", e);
    }
  }

  /** Statements of a superuser, each in a transaction of its own, with the schema on the path. */
  public DSLContext sql() {
    return DSL.using(fixtureSource(), SQLDialect.POSTGRES);
  }

  /** Port of the server, on the loopback interface. */
  public int port() {
    return server.port();
  }

  /** Name of this ledger's database. */
  public String database() {
    return database;
  }

  /** For a process that is given a URL: superuser, no password. */
  public String jdbcUrl() {
    return "jdbc:postgresql://localhost:%d/%s?user=%s"
        .formatted(port(), database, EmbeddedServer.SUPERUSER);
  }

  private PGSimpleDataSource fixtureSource() {
    PGSimpleDataSource source = dataSource();
    source.setCurrentSchema(SCHEMA);
    source.setApplicationName("fixture");
    return source;
  }

  /** Closes its pools and drops its database. */
  @Override
  public void close() {
    synchronized (pools) {
      pools.forEach(HikariDataSource::close);
      pools.clear();
    }
    server.drop(database);
  }
}
