package dev.holdfast.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How the answer is printed. */
final class Printing {
  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Page.Format format = Page.Format.TABLE;

  void print(Page page, CommandSpec command) {
    page.print(format, command.commandLine().getOut());
  }

  /** Prints this at once, and then what is known only afterwards. */
  void print(Page page, CommandSpec command, Supplier<Page> rest) {
    page.print(format, command.commandLine().getOut(), rest);
  }
}
