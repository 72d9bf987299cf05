package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.TransactionalEffect;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Effect and receipt as one commit: the operation's row is locked and judged, the effect runs, the
 * row is judged again by a clock read anew, the receipt is written. Meanwhile the lock keeps
 * everybody out, the renewal too, so that the rest of the lease bounds it all. A rollback means
 * that nothing was done, and nothing of it is stored. Safe for use by many threads.
 */
final class TransactionalSettlement {
  private final LedgerTransaction transaction;
  private final ReportJudge judge;
  private final VerdictWriter writer;
  private final CommitReadback readback;
  private final Again again;
  private final String systemId;

  TransactionalSettlement(LedgerTransaction transaction, PostgresClock clock, String systemId) {
    OperationLock lock = new OperationLock(clock);
    this.transaction = transaction;
    this.judge = new ReportJudge(lock);
    this.writer = new VerdictWriter(clock, systemId);
    this.readback = new CommitReadback(transaction, clock, systemId);
    this.again = transaction.again();
    this.systemId = systemId;
  }

  /** How a transaction ended; {@code lost} where nobody knows whether it was committed. */
  private record Ended(SettleOutcome outcome, @Nullable LedgerAnswerLostException lost) {}

  @FunctionalInterface
  private interface Step<T> {
    T take() throws SQLException;
  }

  /**
   * Runs the effect and commits it with its receipt.
   *
   * @throws LedgerAnswerLostException when the commit's answer was lost and the ledger does not
   *     show the receipt: never to be taken for a failure
   * @throws Exception what the effect threw, after the rollback
   */
  SettleOutcome settle(Lease lease, TransactionalEffect effect) throws Exception {
    Ended ended = inTransaction(lease, effect);
    LedgerAnswerLostException lost = ended.lost();
    if (lost == null) {
      return ended.outcome();
    }
    if (ended.outcome() instanceof SettleOutcome.Committed committed
        && again.after(lost, lease.expiry(), () -> readback.finds(lease, committed.receipt()))) {
      return committed;
    }
    throw lost;
  }

  private Ended inTransaction(Lease lease, TransactionalEffect effect) throws Exception {
    try (OpenTransaction open = transaction.begin(lease.expiry().rest())) {
      Optional<Judged> before = taken(() -> judge.judgeAlone(open.dsl(), Report.intent(lease)));
      if (before.isEmpty()) {
        return new Ended(new SettleOutcome.Quarantined(), null);
      }
      Judged start = before.get();
      if (!start.isReceipt()) {
        return new Ended(unchanged(open, start), null);
      }
      if (start.row().pendingEvidence() > 0) {
        // somebody has seen an effect: the next claim picks it up, and nothing may be done twice
        return new Ended(new SettleOutcome.Contended(), null);
      }
      Effected done = run(open, start.operation(), effect);
      return LedgerConnection.uninterrupted(() -> commit(open, lease, done));
    }
  }

  private static Effected run(
      OpenTransaction open, LockedOperation held, TransactionalEffect effect) throws Exception {
    Duration rest = held.rest();
    LocalDeadline end = LocalDeadline.after(held.askedNanoTime(), rest);
    try (LentConnection lent = new LentConnection(taken(() -> open.lend(rest)), end)) {
      return effect.run(lent.proxy());
    }
  }

  private Ended commit(OpenTransaction open, Lease lease, Effected done) {
    takeBack(open);
    Report report = Report.of(lease, done.response(), done.result());
    Optional<Judged> after = taken(() -> judge.judge(open.dsl(), report));
    if (after.isEmpty()) {
      return new Ended(new SettleOutcome.Quarantined(), null);
    }
    Judged end = after.get();
    if (!end.isReceipt()) {
      return new Ended(unchanged(open, end), null);
    }
    return taken(() -> writer.write(open.dsl(), end))
        .map(written -> acknowledged(open, SettleAnswer.of(end, written, views(open))))
        .orElseGet(() -> new Ended(new SettleOutcome.Contended(), null));
  }

  private static Ended acknowledged(OpenTransaction open, SettleOutcome outcome) {
    try {
      open.commit();
      return new Ended(outcome, null);
    } catch (LedgerAnswerLostException lost) {
      return new Ended(outcome, lost);
    }
  }

  private SettleOutcome unchanged(OpenTransaction open, Judged judged) {
    return SettleAnswer.of(judged, new VerdictWriter.Written(judged.row(), null), views(open));
  }

  private OperationViews views(OpenTransaction open) {
    return new OperationViews(open.dsl(), systemId);
  }

  private static void takeBack(OpenTransaction open) {
    try {
      open.takeBack();
    } catch (SQLException e) {
      throw DatabaseFailure.beforeCommit(e);
    } catch (DataAccessException e) {
      SQLException error = DatabaseFailure.within(e);
      if ("25P02".equals(error.getSQLState())) {
        throw new LedgerUnavailableException(
            "a statement of the effect failed and the effect went on: all was rolled back", error);
      }
      throw DatabaseFailure.beforeCommit(error);
    }
  }

  /** A step of the ledger's own; what fails before the COMMIT was rolled back. */
  private static <T> T taken(Step<T> step) {
    try {
      return step.take();
    } catch (SQLException e) {
      throw DatabaseFailure.beforeCommit(e);
    } catch (DataAccessException e) {
      throw DatabaseFailure.beforeCommit(DatabaseFailure.within(e));
    }
  }
}
