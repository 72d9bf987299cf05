package dev.holdfast.samples.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.temporal.testserver.TestServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.sql.DataSource;

/** PostgreSQL and Temporal: those that the environment names, else embedded ones. */
final class Backends implements Closeable {
  private final String jdbcUrl;
  private final String temporal;
  private final HikariDataSource pool;
  private final Deque<Closeable> opened = new ArrayDeque<>();

  private Backends() throws IOException {
    this.jdbcUrl = environment("LEDGER_JDBC_URL").orElseGet(this::embeddedPostgres);
    this.temporal = environment("TEMPORAL_ADDRESS").orElseGet(this::embeddedTemporal);
    this.pool = pool(jdbcUrl, 8);
    opened.push(pool);
  }

  static Backends fromEnvironment() throws IOException {
    return new Backends();
  }

  /** Where another process finds the ledger's database. */
  String jdbcUrl() {
    return jdbcUrl;
  }

  /** Where clients and workers find Temporal, as host and port. */
  String temporal() {
    return temporal;
  }

  /** Connections to the ledger's database. */
  DataSource dataSource() {
    return pool;
  }

  static HikariDataSource pool(String jdbcUrl, int size) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(jdbcUrl);
    pool.setMaximumPoolSize(size);
    return pool;
  }

  @Override
  public void close() throws IOException {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  // The embedded server trades durability for speed unless it is told otherwise, and Holdfast
  // refuses such a ledger.
  private String embeddedPostgres() {
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("synchronous_commit", "on")
              .start();
      opened.push(postgres);
      return postgres.getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new IllegalStateException("the embedded PostgreSQL did not start", e);
    }
  }

  private String embeddedTemporal() {
    int port = freePort();
    opened.push(TestServer.createPortBoundServer(port));
    return "127.0.0.1:" + port;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException("no free port on loopback", e);
    }
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }
}
