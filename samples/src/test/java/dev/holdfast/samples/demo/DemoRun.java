package dev.holdfast.samples.demo;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One run of the demo as a process of its own, as a newcomer starts it. */
record DemoRun(int exitCode, List<String> lines) {
  static DemoRun with(Map<String, String> environment) throws IOException, InterruptedException {
    ProcessBuilder demo = new ProcessBuilder(Java.command(Demo.class));
    demo.environment().keySet().removeAll(List.of("TEMPORAL_ADDRESS", "LEDGER_JDBC_URL"));
    demo.environment().putAll(environment);
    Process process = demo.redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    return new DemoRun(process.waitFor(), lines);
  }

  List<String> scores() {
    return lines.stream().filter(line -> line.startsWith("DEMO ")).toList();
  }
}
