package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.PreUnlockGate;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.ReleaseStatement.Judged;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Gives up leases through the pre-unlock gate. Safe for use by many threads. */
final class Releasing {
  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final Statements behind;
  private final Statements afterReadback;

  /** For a lease of the operation's own, and for one of a shared resource. */
  private record Statements(ReleaseStatement own, ReleaseStatement shared) {}

  Releasing(LedgerConnection connection, LedgerSql sql, LedgerOptions options) {
    this.connection = connection;
    this.options = options;
    CommitLevel level = options.commitLevel();
    this.behind =
        new Statements(
            new ReleaseStatement(sql, LeaseRows.OWN), new ReleaseStatement(sql, LeaseRows.SHARED));
    this.afterReadback =
        new Statements(
            ReleaseStatement.confirmed(sql, LeaseRows.OWN, level),
            ReleaseStatement.confirmed(sql, LeaseRows.SHARED, level));
  }

  ReleaseOutcome release(ReleasePermit permit) {
    return switch (Mint.decision(permit)) {
      case PreUnlockGate.Refused refused -> refused(refused.refusal());
      case PreUnlockGate.Authorised authorised -> release(permit, authorised.releaseDigest());
    };
  }

  private ReleaseOutcome release(ReleasePermit permit, Sha256 digest) {
    Receipt receipt = permit.receipt();
    LeaseMargin margin = Mint.marginOf(permit);
    Duration patience = options.patience(permit.expiry().rest());
    Statements statements = Mint.wasReadBack(permit) ? afterReadback : behind;
    ReleaseStatement statement =
        receipt.resource().isShared() ? statements.shared() : statements.own();
    Optional<Judged> judged =
        connection.autocommit(
            patience,
            borrowed ->
                statement.execute(
                    borrowed, receipt, margin, digest, StatementSettings.bindings(patience)));
    return judged.map(found -> answer(found, digest)).orElseGet(ReleaseOutcome.NotHeld::new);
  }

  private static ReleaseOutcome answer(Judged judged, Sha256 digest) {
    if (judged.released()) {
      return new ReleaseOutcome.Released(digest);
    }
    if (judged.commitInFuture()) {
      return refused(PreUnlockGate.Refusal.COMMIT_IN_THE_FUTURE);
    }
    return judged.leaseLeft().isPositive()
        ? refused(PreUnlockGate.Refusal.MARGIN_TOO_THIN)
        : new ReleaseOutcome.NotHeld();
  }

  private static ReleaseOutcome refused(PreUnlockGate.Refusal refusal) {
    return new ReleaseOutcome.Refused(refusal.name().toLowerCase(Locale.ROOT));
  }
}
