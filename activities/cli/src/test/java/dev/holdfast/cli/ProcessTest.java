package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The program as a process of its own, with its addresses from the environment. */
class ProcessTest extends CliBed {
  ProcessTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Run process(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-classpath",
            System.getProperty("java.class.path"),
            HoldfastCli.class.getName());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("LEDGER_JDBC_URL", ledger.jdbcUrl());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), out, "");
  }

  @Test
  void it_lists_and_ends_with_its_exit_code() throws IOException, InterruptedException {
    parked().insert();

    Run listed = process("list");

    assertThat(listed.code()).isZero();
    assertThat(listed.out()).contains(document.operation().text());
    assertThat(process("show", "--scope=tenant", "export:nothing").code()).isEqualTo(1);
    assertThat(process("resolve").code()).isEqualTo(2);
  }
}
