package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.settlement.Verdict;

/** What a verdict over an attempt's end means to the one who reported it. */
final class EndAnswer {
  private EndAnswer() {}

  static EndOutcome of(Judged judged, VerdictWriter.Written written, String systemId) {
    return switch (judged.verdict()) {
      case Verdict.RenewFirst made -> new EndOutcome.MarginTooThin(judged.operation().rest());
      case Verdict.Quarantined made -> new EndOutcome.Quarantined();
      case Verdict.Receipt made -> recorded(written, systemId);
      case Verdict.Failure made -> recorded(written, systemId);
      case Verdict.Closed made -> recorded(written, systemId);
      case Verdict.Demoted made -> recorded(written, systemId);
      case Verdict.Conflicted made -> recorded(written, systemId);
      case Verdict.Recorded made -> recorded(written, systemId);
      case Verdict.Pending never -> throw new IllegalStateException("only a success is pending");
    };
  }

  private static EndOutcome recorded(VerdictWriter.Written written, String systemId) {
    return new EndOutcome.Recorded(written.row().view(systemId));
  }
}
