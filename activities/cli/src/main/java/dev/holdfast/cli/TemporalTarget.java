package dev.holdfast.cli;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the workflows run that wait for the act. */
final class TemporalTarget {
  @Option(
      names = "--temporal",
      defaultValue = "${env:TEMPORAL_ADDRESS}",
      paramLabel = "HOST:PORT",
      description = "Temporal's front end, without TLS; else TEMPORAL_ADDRESS")
  private @Nullable String address;

  @Option(
      names = "--no-signal",
      description = "tell no workflow: each finds out by itself, within an hour")
  private boolean silent;

  @Option(
      names = "--signal-timeout",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description = "how long workflows are told for, all of them together; ${DEFAULT-VALUE}")
  private int patience;

  /** Empty where nobody shall be told. */
  Optional<WaitingWorkflows> workflows(CommandSpec command) {
    if (silent) {
      return Optional.empty();
    }
    if (address == null || address.isBlank()) {
      throw new ParameterException(
          command.commandLine(),
          "say where the workflows wait, --temporal or TEMPORAL_ADDRESS, or --no-signal");
    }
    if (patience < 1) {
      throw new ParameterException(command.commandLine(), "--signal-timeout is 1 second or more");
    }
    return Optional.of(new WaitingWorkflows(address, Duration.ofSeconds(patience)));
  }
}
