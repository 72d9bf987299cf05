package dev.holdfast.samples.upstream;

import java.io.IOException;

/**
 * Runs one upstream as a process: {@code exports} or {@code shares}, then optionally {@code --port
 * <n>}. Prints {@code UPSTREAM kind=<kind> port=<n>} once it listens and stays until it is ended.
 */
public final class UpstreamMain {

  private static final String USAGE = "usage: UpstreamMain exports|shares [--port <n>]";

  private UpstreamMain() {}

  /** See the class; wrong arguments end it with 2. */
  @SuppressWarnings("SystemOut") // its one line of output is what the starter reads
  public static void main(String[] args) throws IOException {
    try {
      String kind = args.length > 0 ? args[0] : "";
      System.out.println("UPSTREAM kind=" + kind + " port=" + start(kind, port(args)).port());
    } catch (IllegalArgumentException e) {
      System.err.println(USAGE);
      System.exit(2);
    }
  }

  // the server's own thread keeps the process alive
  private static Upstream start(String kind, int port) throws IOException {
    return switch (kind) {
      case "exports" -> DocumentExporter.start(port);
      case "shares" -> SharePublisher.start(port);
      default -> throw new IllegalArgumentException(USAGE);
    };
  }

  private static int port(String[] args) {
    if (args.length <= 1) {
      return 0;
    }
    if (args.length != 3 || !args[1].equals("--port")) {
      throw new IllegalArgumentException(USAGE);
    }
    return Integer.parseInt(args[2]);
  }
}
