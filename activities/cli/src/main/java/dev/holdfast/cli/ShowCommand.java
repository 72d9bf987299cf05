package dev.holdfast.cli;

import dev.holdfast.ledger.OperationStory;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "All that is kept of one operation but its result.",
    mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private OperationTarget target = new OperationTarget();
  @Mixin private Printing printing = new Printing();

  @Override
  public Integer call() {
    Optional<OperationStory> story = ledger.acts().show(target.scope(), target.operation());
    if (story.isEmpty()) {
      command.commandLine().getErr().println("nobody claimed this operation");
      return ExitCode.REFUSED.code();
    }
    printing.print(StoryPage.of(story.get()), command);
    return ExitCode.DONE.code();
  }
}
