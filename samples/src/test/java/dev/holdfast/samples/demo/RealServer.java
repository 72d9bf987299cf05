package dev.holdfast.samples.demo;

import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Temporal server, a process of the command-line tool that TEMPORAL_CLI names. */
final class RealServer implements AutoCloseable {
  private final Process process;
  private final String target;

  private RealServer(Process process, String target) {
    this.process = process;
    this.target = target;
  }

  static RealServer start(Path cli) throws IOException {
    int port = freePort();
    Path log = Files.createTempFile("temporal-server", ".log");
    log.toFile().deleteOnExit();
    List<String> command =
        List.of(
            cli.toString(),
            "server",
            "start-dev",
            "--headless",
            "--ip",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--log-level",
            "error");
    // its output goes to a file: on the JVM's own channel it would disturb the test runner
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    RealServer server = new RealServer(process, "127.0.0.1:" + port);
    server.awaitConnection();
    return server;
  }

  /** Host and port. */
  String target() {
    return target;
  }

  private void awaitConnection() {
    WorkflowServiceStubs stubs = FencedWorker.connect(target);
    stubs.shutdownNow();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
