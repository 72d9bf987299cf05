package dev.holdfast.samples.demo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own, which can be killed hard, stopped and woken. */
final class WorkerProcess implements AutoCloseable {
  /** Printed by every worker once it polls. */
  static final String POLLING = "WORKER polling";

  /** A JVM on a busy machine starts within it, and nobody waits for ever for one that hangs. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Process process;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
  private final BufferedWriter words;

  private WorkerProcess(Process process) {
    this.process = process;
    this.words = process.outputWriter();
    Thread.ofVirtual().name("lines of a worker").start(this::read);
  }

  /**
   * Returns once it polls.
   *
   * @param main gets Temporal's address and the JDBC URL, then the arguments
   */
  static WorkerProcess start(Backends backends, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(backends.temporal(), backends.jdbcUrl()));
    all.addAll(List.of(arguments));
    return start(main, all);
  }

  /** The same of a program that gets these arguments alone. */
  static WorkerProcess start(Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Java.command(main));
    command.addAll(arguments);
    WorkerProcess started =
        new WorkerProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    try {
      started.awaitLine(POLLING);
      return started;
    } catch (IllegalStateException e) {
      started.close();
      throw e;
    }
  }

  /** Line by line, then nothing more. */
  private void read() {
    try {
      process.inputReader().lines().map(Optional::of).forEach(lines::add);
    } catch (UncheckedIOException e) {
      // it was killed while it printed
      lines.add(Optional.of(String.valueOf(e.getMessage())));
    } finally {
      lines.add(Optional.empty());
    }
  }

  /**
   * Returns when the worker has printed this line.
   *
   * @throws IllegalStateException it ended before, or did not print it for a minute; tells what it
   *     printed last
   */
  void awaitLine(String expected) throws InterruptedException {
    awaitLine(expected, PATIENCE);
  }

  /** The same within another time. */
  void awaitLine(String expected, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    String last = "nothing";
    while (!last.equals(expected)) {
      Optional<String> line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw silent("did not print \"%s\" within %s".formatted(expected, patience), last);
      }
      if (line.isEmpty()) {
        throw silent("ended before it printed \"%s\"".formatted(expected), last);
      }
      last = line.get();
    }
  }

  private static IllegalStateException silent(String how, String last) {
    return new IllegalStateException("the worker %s; it printed last: %s".formatted(how, last));
  }

  /** Writes a line, which waits in the pipe while the worker is stopped. */
  void tell(String line) throws IOException {
    words.write(line);
    words.newLine();
    words.flush();
  }

  /** Stops it where it stands; its connections stay open and its clock runs on unseen. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on as if nothing had happened. */
  void wake() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Asks it to end, as whoever runs containers does; its shutdown hooks run. */
  void terminate() throws IOException, InterruptedException {
    signal("TERM");
  }

  /** Whether it ends within that time. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void signal(String name) throws IOException, InterruptedException {
    // a builtin of every shell; Java itself can only end a process
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(name, process.pid()))
            .inheritIO()
            .start();
    if (kill.waitFor() != 0) {
      throw new IllegalStateException("signal %s was not sent".formatted(name));
    }
  }

  long pid() {
    return process.pid();
  }

  /** Kills it hard, stopped or not. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
