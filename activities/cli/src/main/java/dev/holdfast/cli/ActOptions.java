package dev.holdfast.cli;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Revision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whose act on an operation it is, why, and how far it may go. */
final class ActOptions {
  @Mixin private ActOrder order = new ActOrder();

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

  String reason() {
    return order.reason();
  }

  boolean force() {
    return force;
  }

  /** Passed over in silence it would look as if something had been overridden. */
  void refuseForce() {
    if (force) {
      throw new IllegalArgumentException(
          "--force goes with resolve --did-not-happen, resolve --failed and reopen alone");
    }
  }

  ActTerms terms(OperationTarget target, CommandSpec command) {
    try {
      return new ActTerms(
          order.id(),
          target.scope(),
          target.operation(),
          revision == null ? null : new Revision(revision),
          order.actor(),
          order.reason(),
          order.dryRun());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }
}
