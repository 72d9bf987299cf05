package dev.holdfast.samples.demo;

import dev.holdfast.cli.HoldfastCli;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The operators' command-line tool, run as a person runs it: in a process of its own. */
final class OperatorTool {
  private OperatorTool() {}

  /** Runs one command, tells what it printed, and demands that it was done. */
  static void run(Backends backends, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Java.command(HoldfastCli.class));
    command.addAll(List.of(arguments));
    ProcessBuilder tool =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    tool.environment().put("LEDGER_JDBC_URL", backends.jdbcUrl());
    tool.environment().put("TEMPORAL_ADDRESS", backends.temporal());
    Process process = tool.start();
    process.inputReader().lines().forEach(line -> Narrator.say("    | " + line));
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IllegalStateException("the operators' tool ended with " + exit);
    }
  }
}
