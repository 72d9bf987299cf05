package dev.holdfast.cli;

import dev.holdfast.cli.WaitingWorkflows.Answer;
import dev.holdfast.cli.WaitingWorkflows.Named;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.OperationId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Tells a person, a script and the waiting workflows what became of an act. */
final class ActAnswer {
  private final CommandSpec command;
  private final Printing printing;
  private final Optional<WaitingWorkflows> workflows;

  ActAnswer(CommandSpec command, Printing printing, Optional<WaitingWorkflows> workflows) {
    this.command = command;
    this.printing = printing;
    this.workflows = workflows;
  }

  /** Carries it out, and tells what became of it. */
  int tell(ActTerms terms, Supplier<ActOutcome> act) {
    try {
      return tell(terms.id(), act.get());
    } catch (LedgerAnswerLostException lost) {
      return ActOrder.notKnown(terms.id(), lost, printing, command);
    }
  }

  /** There is nothing to act on. */
  int absent() {
    return refused("nobody claimed this operation");
  }

  private int tell(ActId id, ActOutcome outcome) {
    return switch (outcome) {
      case ActOutcome.Done done -> done(id, done);
      case ActOutcome.Absent() -> absent();
      case ActOutcome.Moved(var now) ->
          refused(
              "it was changed meanwhile: it is %s at revision %s now; look at it again"
                  .formatted(now.state().word(), now.revision()));
      case ActOutcome.Held(var rest) ->
          refused("somebody works on it: its lease lasts %s more".formatted(rest));
      case ActOutcome.TooEarly(var horizon, var left) when left.isZero() ->
          refused(
              "a request may have landed until %s, after the look: look again, or --force"
                  .formatted(horizon));
      case ActOutcome.TooEarly(var horizon, var left) ->
          refused(
              "a request may still land until %s (%s more): wait, or --force, on the record"
                  .formatted(horizon, left));
      case ActOutcome.EvidenceWaits(int stored) ->
          refused(
              ("%d success(es) are stored: the next claim under the current binding, a workflow"
                   + " that looks, or a sweep completes it; where none comes, resolve --happened")
                  .formatted(stored));
      case ActOutcome.NotApplicable(var state, var cure) ->
          refused("it is %s: %s".formatted(state.word(), cure));
      case ActOutcome.Contended() -> refused("others kept changing it: try again");
    };
  }

  private int refused(String message) {
    command.commandLine().getErr().println(message);
    return ExitCode.REFUSED.code();
  }

  private int done(ActId id, ActOutcome.Done done) {
    Page page =
        new Page()
            .with("operation", done.before().reservation().operation().text())
            .with("act", done.dryRun() ? null : id)
            .with("before", done.before().state().word())
            .with("parked", done.before().parkedReason())
            .with("after", done.after().word())
            .with("dryRun", done.dryRun())
            .with(
                "dependents",
                done.dependents().stream()
                    .map(OperationId::text)
                    .map(text -> new Page.Row().with("operation", text))
                    .toList());
    Map<Named, String> told = new LinkedHashMap<>();
    // first what is done for good: a signal may take long, and a person may not wait for it
    printing.print(
        page,
        command,
        () -> {
          told.putAll(workflows(done));
          return new Page()
              .with("workflows", told.entrySet().stream().map(ActAnswer::row).toList());
        });
    return told.containsValue(Answer.NOT_REACHED.word())
        ? ExitCode.NOT_TOLD.code()
        : ExitCode.DONE.code();
  }

  private static Page.Row row(Map.Entry<Named, String> workflow) {
    return new Page.Row()
        .with("namespace", workflow.getKey().namespace())
        .with("workflow", workflow.getKey().workflowId())
        .with("answer", workflow.getValue());
  }

  /** Each that waits, and whether it knows. */
  private Map<Named, String> workflows(ActOutcome.Done done) {
    Map<Named, String> answers = new LinkedHashMap<>();
    if (done.dryRun() || workflows.isEmpty()) {
      String left = done.dryRun() ? "would be told" : "left alone";
      WaitingWorkflows.named(done.waiting()).forEach(one -> answers.put(one, left));
    } else {
      workflows.get().wake(done.waiting()).forEach((one, how) -> answers.put(one, how.word()));
    }
    return answers;
  }
}
