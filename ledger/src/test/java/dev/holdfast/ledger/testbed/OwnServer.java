package dev.holdfast.ledger.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A PostgreSQL of a test's own, that may be started in any way, killed and started again on the
 * data that is left. One ledger is migrated into it; data sources of that ledger stay good, for the
 * port stays the same. For one thread.
 */
public final class OwnServer implements AutoCloseable {
  private static final String DATABASE = "ledger";

  private final Path directory;
  private Map<String, String> settings;
  private EmbeddedServer server;
  private boolean running = true;

  private OwnServer(Path directory, Map<String, String> settings, EmbeddedServer server) {
    this.directory = directory;
    this.settings = settings;
    this.server = server;
  }

  /**
   * Starts one.
   *
   * @param settings beside those of every server here, or in their place
   */
  public static OwnServer started(Map<String, String> settings) {
    Path directory = newDirectory();
    OwnServer own = new OwnServer(directory, settings, start(directory, settings, 0));
    own.server.createMigrated(DATABASE);
    own.checkpoint();
    return own;
  }

  private static EmbeddedServer start(Path directory, Map<String, String> settings, int port) {
    var builder =
        EmbeddedServer.builder()
            .setDataDirectory(directory)
            .setCleanDataDirectory(false)
            .setServerConfig("max_connections", "40")
            .setServerConfig("autovacuum", "off");
    settings.forEach(builder::setServerConfig);
    return EmbeddedServer.start(port == 0 ? builder : builder.setPort(port));
  }

  /** The ledger in it, as the server runs now. */
  public EmbeddedLedger ledger() {
    return new EmbeddedLedger(server, DATABASE);
  }

  /** Writes everything out: what a killed server is to have kept of the test's own preparations. */
  public void checkpoint() {
    ledger().sql().execute("checkpoint");
  }

  /** Kills every process of it at once: whatever was not written is lost. */
  public void killHard() {
    ProcessHandle postmaster = ProcessHandle.of(pid()).orElseThrow();
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(all);
  }

  /** Lets it go down at once and without a checkpoint, as an operator's immediate stop does. */
  public void stopImmediately() {
    ProcessHandle postmaster = ProcessHandle.of(pid()).orElseThrow();
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    try {
      new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    awaitEnd(all);
  }

  private long pid() {
    try {
      List<String> lines = Files.readAllLines(directory.resolve("postmaster.pid"));
      return Long.parseLong(lines.getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Their shared memory is in use until the last one is gone. */
  private void awaitEnd(List<ProcessHandle> processes) {
    processes.stream().map(ProcessHandle::onExit).forEach(CompletableFuture::join);
    running = false;
  }

  /** Stops it where it runs, and starts it on its data. */
  public void restart() {
    restart(settings);
  }

  /** The same with other settings. */
  public void restart(Map<String, String> other) {
    int port = server.port();
    server.stop();
    settings = other;
    server = start(directory, other, port);
    running = true;
  }

  /** Stops it, and starts a standby that follows it; this one is started again. */
  public OwnServer standby() {
    int port = server.port();
    server.stop();
    Path copy = newDirectory();
    copy(directory, copy);
    try {
      Files.createFile(copy.resolve("standby.signal"));
      Files.writeString(
          copy.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=localhost port=%d user=%s'%n"
              .formatted(port, EmbeddedServer.SUPERUSER),
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = start(directory, settings, port);
    return new OwnServer(copy, settings, start(copy, settings, 0));
  }

  /** Ends the following: what the other one writes from here on does not arrive. */
  public void cutOff() {
    ledger().sql().execute("alter system set primary_conninfo = ''");
    ledger().sql().fetch("select pg_reload_conf()");
  }

  /** Makes a standby the primary. */
  public void promote() {
    ledger().sql().fetch("select pg_promote()");
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            to.resolve(from.relativize(file)),
            StandardCopyOption.COPY_ATTRIBUTES,
            StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("own-server");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it and forgets its data. */
  @Override
  public void close() {
    if (running) {
      server.stop();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
