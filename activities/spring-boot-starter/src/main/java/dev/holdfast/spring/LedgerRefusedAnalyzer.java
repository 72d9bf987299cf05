package dev.holdfast.spring;

import dev.holdfast.ledger.LedgerRefusedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names what makes the ledger's tables in a Boot application. */
final class LedgerRefusedAnalyzer extends AbstractFailureAnalyzer<LedgerRefusedException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, LedgerRefusedException refused) {
    return new FailureAnalysis(
        "Holdfast cannot use this ledger: " + refused.getMessage() + ".",
        "Do what the description says. Tables are made where holdfast.migrate=true, by the command"
            + " line (holdfast migrate) or by JooqLedger.migrate, never by a worker that starts.",
        failure);
  }
}
