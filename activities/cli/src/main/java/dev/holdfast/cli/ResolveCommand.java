package dev.holdfast.cli;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.SettledFailure;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "resolve",
    description = "Says what became of an operation that waits for a person.",
    mixinStandardHelpOptions = true)
final class ResolveCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private TemporalTarget temporal = new TemporalTarget();
  @Mixin private OperationTarget target = new OperationTarget();
  @Mixin private ActOptions act = new ActOptions();
  @Mixin private Shown shown = new Shown();
  @Mixin private Printing printing = new Printing();

  @Option(
      names = "--looked-at",
      paramLabel = "INSTANT",
      description =
          "with --did-not-happen and --failed: when the upstream was looked at, no earlier than"
              + " `show` printed as shownAt; now unless given")
  private @Nullable Instant lookedAt;

  @ArgGroup(multiplicity = "1")
  private Verdict verdict = new Verdict();

  /** Exactly one of these. */
  static final class Verdict {
    @Option(names = "--happened", required = true, description = "the effect happened")
    private boolean happened;

    @Option(
        names = "--did-not-happen",
        required = true,
        description = "no attempt had an effect: it may be dispatched again")
    @SuppressWarnings("UnusedVariable") // what remains where none of the others is given
    private boolean didNotHappen;

    @Option(
        names = "--receipt-stands",
        required = true,
        description = {
          "of a conflict: its receipt is the truth; of a completed operation beside which an",
          "effect was set aside: somebody has looked at it"
        })
    private boolean receiptStands;

    @Option(
        names = "--failed",
        required = true,
        paramLabel = "CODE",
        description = "no attempt had an effect, and none shall be made; one word why")
    private @Nullable String failed;
  }

  @Override
  public Integer call() {
    ActTerms terms = act.terms(target, command);
    Optional<WaitingWorkflows> workflows =
        terms.dryRun() ? Optional.empty() : temporal.workflows(command);
    OperatorActs acts = ledger.acts();
    Decision decision = decision(acts, terms);
    return new ActAnswer(command, printing, workflows)
        .tell(terms, () -> acts.resolve(terms, decision));
  }

  private Decision decision(OperatorActs acts, ActTerms terms) {
    try {
      return decided(acts, terms);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }

  private Decision decided(OperatorActs acts, ActTerms terms) {
    if (verdict.happened) {
      act.refuseForce();
      refuseLook();
      return shown.happened(acts, terms);
    }
    shown.refuseAll();
    if (verdict.failed != null) {
      return new Decision.Failed(
          new SettledFailure(verdict.failed, shown.status()), act.force(), lookedAt);
    }
    shown.refuseStatus();
    if (verdict.receiptStands) {
      act.refuseForce();
      refuseLook();
      return new Decision.ReceiptStands();
    }
    return new Decision.DidNotHappen(act.force(), lookedAt);
  }

  private void refuseLook() {
    if (lookedAt != null) {
      throw new IllegalArgumentException("--looked-at goes with --did-not-happen and --failed");
    }
  }
}
