package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.VerifiedResponse;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * The slow path of settlement, for whatever the single statements do not cover: locks, loads, lets
 * {@link dev.holdfast.ledger.settlement} decide, compares and sets, and loads again where that
 * misses. Alone (with the effects of {@link TransactionalSettlement}) it opens transactions of
 * several statements. Safe for use by many threads.
 */
final class SettlementTransaction {
  private final LedgerTransaction transaction;
  private final ReportJudge judge;
  private final VerdictWriter writer;
  private final EvidencePickUp pickUp;
  private final String systemId;

  SettlementTransaction(LedgerTransaction transaction, PostgresClock clock, String systemId) {
    OperationLock lock = new OperationLock(clock);
    this.transaction = transaction;
    this.judge = new ReportJudge(lock);
    this.writer = new VerdictWriter(clock, systemId);
    this.pickUp = new EvidencePickUp(lock, writer, clock, systemId);
    this.systemId = systemId;
  }

  /**
   * Settles a verified success that the settle statement did not. Sent again by the same claim it
   * stores nothing twice; a claim that settled before finds itself in {@link
   * dev.holdfast.ledger.OperationView#receiptClaim}.
   */
  SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result) {
    return settle(Report.of(lease, response, result));
  }

  /** Settles a success, of whichever attempt its holder reports. */
  SettleOutcome settle(Report report) {
    return transaction
        .commit(report.lease().expiry().rest(), open -> settle(open, report))
        .orElseGet(SettleOutcome.Contended::new);
  }

  private Optional<SettleOutcome> settle(OpenTransaction open, Report report) {
    DSLContext dsl = open.dsl();
    return judge
        .judge(dsl, report)
        .map(judged -> written(open, judged).map(done -> SettleAnswer.of(judged, done, views(dsl))))
        .orElseGet(() -> Optional.of(new SettleOutcome.Quarantined()));
  }

  private Optional<VerdictWriter.Written> written(OpenTransaction open, Judged judged) {
    Optional<VerdictWriter.Written> done = writer.write(open.dsl(), judged);
    done.ifPresent(
        written -> {
          open.warn(written.warning());
          Dependents.tell(open, judged.row(), written.row().state());
        });
    return done;
  }

  private OperationViews views(DSLContext dsl) {
    return new OperationViews(dsl, systemId);
  }

  /** Records the end of an attempt; sent again by the same claim it stores nothing twice. */
  EndOutcome end(Lease lease, AttemptEnd end) {
    Report report = Report.of(lease, end);
    return transaction
        .commit(lease.expiry().rest(), open -> end(open, report))
        .orElseGet(EndOutcome.Contended::new);
  }

  private Optional<EndOutcome> end(OpenTransaction open, Report report) {
    return judge
        .judge(open.dsl(), report)
        .map(judged -> written(open, judged).map(done -> ended(open, judged, done)))
        .orElseGet(() -> Optional.of(new EndOutcome.Quarantined()));
  }

  private EndOutcome ended(OpenTransaction open, Judged judged, VerdictWriter.Written done) {
    if (judged.row().parkedReason() == null && done.row().parkedReason() != null) {
      open.tell(new News.Parked());
    }
    return EndAnswer.of(judged, done, views(open.dsl()));
  }

  /**
   * Completes an operation, or finds it in conflict, from the evidence that is stored for it.
   *
   * @return {@link Claim.Contended} also where there is nothing to pick up any more, or somebody
   *     holds a live lease: claim again
   */
  Claim pickUp(ClaimRequest request) {
    return transaction
        .commit(request.leaseFor(), open -> pickUp.in(open.dsl(), PickUpClaim.of(request)))
        .orElseGet(Claim.Contended::new);
  }
}
