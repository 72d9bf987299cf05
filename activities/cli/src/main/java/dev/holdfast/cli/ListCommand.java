package dev.holdfast.cli;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Operations that wait for a person or a pick-up, the longest wait first.",
    mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private LedgerTarget ledger = new LedgerTarget();
  @Mixin private Printing printing = new Printing();

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      converter = OperationTarget.ToScope.class,
      description = "of this tenant boundary alone")
  private @Nullable Scope scope;

  @Option(
      names = "--waiting-for",
      split = ",",
      paramLabel = "CAUSE",
      description = "any of ${COMPLETION-CANDIDATES} (default: all)")
  private Set<AwaitingOperation.Cause> causes = EnumSet.allOf(AwaitingOperation.Cause.class);

  @Option(
      names = "--limit",
      defaultValue = "100",
      paramLabel = "COUNT",
      description = "so many at most (default: ${DEFAULT-VALUE})")
  private int limit = 100;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(command.commandLine(), "--limit is at least 1");
    }
    List<Page.Row> rows = found(ledger.acts()).stream().map(ListCommand::row).toList();
    printing.print(new Page().with("count", rows.size()).with("operations", rows), command);
    return ExitCode.DONE.code();
  }

  private List<AwaitingOperation> found(OperatorActs acts) {
    List<AwaitingOperation> found = new ArrayList<>();
    AwaitingQuery query = AwaitingQuery.all().waitingFor(causes);
    query = scope == null ? query : query.in(scope);
    boolean more = true;
    while (more) {
      int page = Math.min(limit - found.size(), AwaitingQuery.LARGEST_PAGE);
      List<AwaitingOperation> next = acts.list(query.limitedTo(page));
      found.addAll(next);
      more = next.size() == page && found.size() < limit;
      query = more ? query.after(next.getLast()) : query;
    }
    return found;
  }

  private static Page.Row row(AwaitingOperation waiting) {
    return new Page.Row()
        .with("scope", waiting.scope())
        .with("operation", waiting.operation().text())
        .with("state", waiting.state().word())
        .with("parked", waiting.parkedReason())
        .with("open", waiting.openAttempts())
        .with("evidence", waiting.pendingEvidence())
        .with("quarantined", waiting.setAside())
        .with("revision", waiting.revision().value())
        .with("since", waiting.since());
  }
}
