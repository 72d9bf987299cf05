package dev.holdfast.cli;

import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program. Exit codes: 0 done, 1 refused, 2 the command line was not understood, 3 the ledger
 * is out of reach, or something unforeseen, 4 done, but a waiting workflow could not be told, 5 not
 * known whether it was done.
 */
@Command(
    name = "holdfast",
    description = "What waits for a person in a Holdfast ledger, and a person's acts on it.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      ResolveCommand.class,
      ReopenCommand.class,
      RotateCommand.class,
      RebindCommand.class,
      MigrateCommand.class
    },
    footer = {
      "",
      "The ledger's address comes from LEDGER_JDBC_URL, LEDGER_USER and LEDGER_PASSWORD,",
      "Temporal's from TEMPORAL_ADDRESS. Results and passwords are never printed.",
      "Exit codes: 0 done, 1 refused, 2 usage, 3 ledger out of reach or something unforeseen,",
      "4 done but not all told,",
      "5 not known whether it was done: order it again with the --act-id that was printed."
    })
public final class HoldfastCli {
  private HoldfastCli() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String... arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, arguments));
  }

  /** Runs one command within this process; its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return new CommandLine(new HoldfastCli())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command))
        .execute(arguments);
  }

  /** Whatever is not foreseen is no refusal: something may have been done. */
  private static int failed(Exception failure, CommandLine command) {
    return switch (failure) {
      case LedgerUnavailableException out -> told(command, out.getMessage());
      case LedgerRefusedException refused -> told(command, refused.getMessage());
      case LedgerAnswerLostException lost ->
          told(command, lost.getMessage() + ": whether it was done, `show` tells");
      default ->
          told(
              command,
              "it failed in an unforeseen way (%s): whether it was done, `show` tells"
                  .formatted(failure.getClass().getName()));
    };
  }

  private static int told(CommandLine command, @Nullable String message) {
    command.getErr().println(message);
    return ExitCode.LEDGER.code();
  }
}
