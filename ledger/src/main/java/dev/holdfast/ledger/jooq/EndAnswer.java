package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.settlement.Verdict;

/** What a verdict over an attempt's end means to the one who reported it. */
final class EndAnswer {
  private EndAnswer() {}

  static EndOutcome of(Judged judged, VerdictWriter.Written written, OperationViews views) {
    return switch (judged.verdict()) {
      case Verdict.RenewFirst made -> new EndOutcome.MarginTooThin(judged.operation().rest());
      case Verdict.Quarantined made -> new EndOutcome.Quarantined();
      case Verdict.Receipt made -> recorded(written, views);
      case Verdict.Failure made -> recorded(written, views);
      case Verdict.Closed made -> recorded(written, views);
      case Verdict.Demoted made -> recorded(written, views);
      case Verdict.Conflicted made -> recorded(written, views);
      case Verdict.Recorded made -> recorded(written, views);
      case Verdict.Pending never -> throw new IllegalStateException("only a success is pending");
    };
  }

  private static EndOutcome recorded(VerdictWriter.Written written, OperationViews views) {
    return new EndOutcome.Recorded(views.of(written.row()));
  }
}
