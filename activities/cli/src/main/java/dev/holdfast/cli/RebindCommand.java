package dev.holdfast.cli;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "rebind",
    description = {
      "Moves an operation to the generation that its binding was rotated to.",
      "What is reported under the older one afterwards is set aside."
    },
    mixinStandardHelpOptions = true)
final class RebindCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private TemporalTarget temporal = new TemporalTarget();
  @Mixin private OperationTarget target = new OperationTarget();
  @Mixin private ActOptions act = new ActOptions();
  @Mixin private Printing printing = new Printing();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "GENERATION",
      description = "the generation that it is reserved under, as `show` prints it")
  private long from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "GENERATION",
      description = "the one it shall belong to")
  private long to;

  @ArgGroup(multiplicity = "1")
  private Way way = new Way();

  /** Exactly one of these. */
  static final class Way {
    @Option(
        names = "--adopt",
        required = true,
        description = "completed: its effect counts for the newer generation")
    private boolean adopt;

    @Option(
        names = "--re-execute",
        required = true,
        description = "completed or failed, no attempt open: run it again, under a new key")
    private boolean reExecute;

    @Option(
        names = "--carry",
        required = true,
        description = "unknown: go on under the same key, its open attempts stay open")
    @SuppressWarnings("UnusedVariable") // what remains where none of the others is given
    private boolean carry;

    Rebind.Mode mode() {
      if (adopt) {
        return Rebind.Mode.ADOPT;
      }
      return reExecute ? Rebind.Mode.RE_EXECUTE : Rebind.Mode.CARRY;
    }
  }

  @Override
  public Integer call() {
    ActTerms terms = act.terms(target, command);
    Optional<WaitingWorkflows> workflows =
        terms.dryRun() ? Optional.empty() : temporal.workflows(command);
    OperatorActs acts = ledger.acts();
    Optional<OperationStory> story = acts.show(target.scope(), target.operation());
    ActAnswer answer = new ActAnswer(command, printing, workflows);
    if (story.isEmpty()) {
      return answer.absent();
    }
    Rebind rebind = rebind(story.get());
    return answer.tell(terms, () -> acts.rebind(terms, rebind));
  }

  private Rebind rebind(OperationStory story) {
    try {
      act.refuseForce();
      return new Rebind(way.mode(), seen(story), new Generation(to));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }

  /** As it stood in that generation: an act that is sent again finds it moved by itself. */
  private Tuple seen(OperationStory story) {
    Generation generation = new Generation(from);
    if (!story.operation().reservation().generation().equals(generation)) {
      for (OperationStory.Change change : story.changes().reversed()) {
        if (change.generation().equals(generation)) {
          return tuple(change.fingerprint(), generation, change.epoch());
        }
      }
    }
    return tuple(
        story.operation().reservation().fingerprint(), generation, story.operation().epoch());
  }

  private Tuple tuple(RequestFingerprint fingerprint, Generation generation, Epoch epoch) {
    return new Tuple(target.scope(), target.operation(), fingerprint, generation, epoch);
  }
}
