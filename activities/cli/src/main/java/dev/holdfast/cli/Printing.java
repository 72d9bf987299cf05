package dev.holdfast.cli;

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
}
