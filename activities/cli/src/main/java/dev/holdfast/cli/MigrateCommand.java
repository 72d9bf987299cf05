package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "migrate",
    description = "Creates or upgrades the ledger's tables.",
    mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {
  @Mixin private LedgerTarget ledger = new LedgerTarget();

  @Override
  public Integer call() {
    ledger.migrate();
    return ExitCode.DONE.code();
  }
}
