package dev.holdfast.cli;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.OperatorActs;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "reopen",
    description = {
      "Orders that a completed or failed operation be run again, under a new upstream key.",
      "Who resets a workflow in order to redo an effect uses this first."
    },
    mixinStandardHelpOptions = true)
final class ReopenCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private TemporalTarget temporal = new TemporalTarget();
  @Mixin private OperationTarget target = new OperationTarget();
  @Mixin private ActOptions act = new ActOptions();
  @Mixin private Printing printing = new Printing();

  @Override
  public Integer call() {
    ActTerms terms = act.terms(target, command);
    Optional<WaitingWorkflows> workflows =
        terms.dryRun() ? Optional.empty() : temporal.workflows(command);
    OperatorActs acts = ledger.acts();
    return new ActAnswer(command, printing, workflows)
        .tell(terms, () -> acts.reopen(terms, act.force()));
  }
}
