package dev.holdfast.samples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A child JVM with a booking worker; closing it kills it hard. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private WorkerProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader();
  }

  static WorkerProcess start(Backends backends, String taskQueue, BookingWorker.Mode mode)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("java.class.path"),
            BookingWorker.class.getName(),
            backends.temporal(),
            backends.jdbcUrl(),
            taskQueue,
            mode.name());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    WorkerProcess started = new WorkerProcess(process);
    started.awaitLine(BookingWorker.POLLING);
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

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
