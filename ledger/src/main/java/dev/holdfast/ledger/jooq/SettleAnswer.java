package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.Verdict;
import java.util.Objects;

/** What a verdict over a success means to the one who reported it. */
final class SettleAnswer {
  private SettleAnswer() {}

  static SettleOutcome of(Judged judged, VerdictWriter.Written written, OperationViews views) {
    return switch (judged.verdict()) {
      case Verdict.Receipt made when judged.isCompletedByReport() ->
          committed(judged, Objects.requireNonNull(written.receipt(), "receipt"));
      case Verdict.Receipt byAnother -> settled(written, views);
      case Verdict.Conflicted made -> settled(written, views);
      case Verdict.Recorded made -> settled(written, views);
      case Verdict.Pending made -> tooLate(judged);
      case Verdict.Quarantined made -> new SettleOutcome.Quarantined();
      case Verdict.RenewFirst made -> new SettleOutcome.MarginTooThin(judged.operation().rest());
      case Verdict.Failure never -> throw ofSuccess(never);
      case Verdict.Closed never -> throw ofSuccess(never);
      case Verdict.Demoted never -> throw ofSuccess(never);
    };
  }

  private static SettleOutcome committed(Judged judged, Receipt receipt) {
    return new SettleOutcome.Committed(
        receipt,
        Mint.permitOf(judged.report().lease(), receipt, judged.operation().askedNanoTime()));
  }

  private static SettleOutcome settled(VerdictWriter.Written written, OperationViews views) {
    return new SettleOutcome.AlreadySettled(views.of(written.row()));
  }

  private static SettleOutcome tooLate(Judged judged) {
    return switch (judged.observer()) {
      case HOLDER -> new SettleOutcome.LeaseExpired();
      case PREEMPTED -> new SettleOutcome.Preempted();
      case NONE -> throw new IllegalStateException("a lease without a claim");
    };
  }

  private static IllegalStateException ofSuccess(Verdict never) {
    return new IllegalStateException("a success cannot be " + never.disposition());
  }
}
