package dev.holdfast.cli;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.LedgerAnswerLostException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Who orders an act and why, under which id, and whether it is only tried. */
final class ActOrder {
  private final ActId fresh = ActId.random();

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

  ActId id() {
    return id == null ? fresh : new ActId(id);
  }

  String actor() {
    return actor;
  }

  String reason() {
    return reason;
  }

  boolean dryRun() {
    return dryRun;
  }

  /** Tells that nobody knows whether it was done, and how it is ordered once more. */
  static int notKnown(
      ActId id, LedgerAnswerLostException lost, Printing printing, CommandSpec command) {
    printing.print(new Page().with("act", id).withUnknown("done"), command);
    command
        .commandLine()
        .getErr()
        .println(
            "%s: whether it was done is not known; the same command with --act-id=%s does it once"
                .formatted(lost.getMessage(), id));
    return ExitCode.NOT_KNOWN.code();
  }
}
