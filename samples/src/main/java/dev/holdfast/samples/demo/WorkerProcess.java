package dev.holdfast.samples.demo;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A worker in a JVM of its own, which can be killed hard, stopped and woken. */
final class WorkerProcess implements AutoCloseable {
  /** Printed by every worker once it polls. */
  static final String POLLING = "WORKER polling";

  private final Process process;
  private final BufferedReader lines;
  private final BufferedWriter words;

  private WorkerProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader();
    this.words = process.outputWriter();
  }

  /**
   * Returns once it polls.
   *
   * @param main gets Temporal's address and the JDBC URL, then the arguments
   */
  static WorkerProcess start(Backends backends, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(Java.command(main));
    command.add(backends.temporal());
    command.add(backends.jdbcUrl());
    command.addAll(List.of(arguments));
    WorkerProcess started =
        new WorkerProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    started.awaitLine(POLLING);
    return started;
  }

  /** Reads until the worker prints this line. */
  void awaitLine(String expected) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(expected)) {
        return;
      }
    }
    throw new IllegalStateException("the worker ended before it printed: " + expected);
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
