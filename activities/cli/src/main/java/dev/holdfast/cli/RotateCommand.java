package dev.holdfast.cli;

import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "rotate",
    description = {
      "Raises the generation of a binding by one: what was requested under the older one is",
      "refused from then on, unless it was claimed before."
    },
    mixinStandardHelpOptions = true)
final class RotateCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private ActOrder order = new ActOrder();
  @Mixin private Printing printing = new Printing();

  @Option(
      names = "--scope",
      required = true,
      paramLabel = "SCOPE",
      converter = OperationTarget.ToScope.class,
      description = "whose binding it is")
  private Scope scope = new Scope("unset");

  @Parameters(index = "0", paramLabel = "BINDING", description = "its name")
  private String name = "";

  @Option(
      names = "--expected",
      required = true,
      paramLabel = "GENERATION",
      description = "the generation it has now; 0 where it was never rotated")
  private long expected;

  @Override
  public Integer call() {
    Rotation rotation = rotation();
    OperatorActs acts = ledger.acts();
    try {
      return told(rotation, acts.rotate(rotation));
    } catch (LedgerAnswerLostException lost) {
      return ActOrder.notKnown(rotation.id(), lost, printing, command);
    } catch (IllegalArgumentException another) {
      return refused(String.valueOf(another.getMessage()));
    }
  }

  private Rotation rotation() {
    try {
      return new Rotation(
          order.id(),
          scope,
          new BindingName(name),
          new Generation(expected),
          order.actor(),
          order.reason(),
          order.dryRun());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }

  private int told(Rotation rotation, RotateOutcome outcome) {
    return switch (outcome) {
      case RotateOutcome.Rotated(Generation current, boolean dry) -> {
        printing.print(
            new Page()
                .with("binding", name)
                .with("act", dry ? null : rotation.id())
                .with("generation", current.value())
                .with("dryRun", dry),
            command);
        yield ExitCode.DONE.code();
      }
      case RotateOutcome.Moved(Generation now) ->
          refused("it stands at generation " + now + " now; look at it again");
      case RotateOutcome.Contended() -> refused("others kept changing it: try again");
    };
  }

  private int refused(String message) {
    command.commandLine().getErr().println(message);
    return ExitCode.REFUSED.code();
  }
}
