package dev.holdfast.cli;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Revision;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whose act it is, and why. */
final class ActOptions {
  @Option(
      names = "--actor",
      required = true,
      paramLabel = "WHO",
      description = "who orders it; kept for ever")
  private String actor = "";

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "why; kept for ever")
  private String reason = "";

  @Option(
      names = "--revision",
      paramLabel = "NUMBER",
      description = "only if it is still as `show` printed it")
  private @Nullable Long revision;

  @Option(
      names = "--force",
      description =
          "although a request may still land (with --did-not-happen, --failed, or to reopen);"
              + " kept on the record")
  private boolean force;

  @Option(
      names = "--act-id",
      paramLabel = "UUID",
      description =
          "the id that was printed when the answer was lost: the same act, done once (default: a"
              + " fresh one)")
  private @Nullable UUID id;

  @Option(
      names = "--dry-run",
      description = "only say what would become of it, and who would be told")
  private boolean dryRun;

  String reason() {
    return reason;
  }

  boolean force() {
    return force;
  }

  /** Passed over in silence it would look as if something had been overridden. */
  void refuseForce() {
    if (force) {
      throw new IllegalArgumentException("--force goes with --did-not-happen and --failed");
    }
  }

  ActTerms terms(OperationTarget target, CommandSpec command) {
    try {
      return new ActTerms(
          id == null ? ActId.random() : new ActId(id),
          target.scope(),
          target.operation(),
          revision == null ? null : new Revision(revision),
          actor,
          reason,
          dryRun);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }
}
