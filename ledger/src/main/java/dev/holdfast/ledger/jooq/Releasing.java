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
  private final ReleaseStatement own;
  private final ReleaseStatement shared;

  Releasing(LedgerConnection connection, LedgerSql sql, LedgerOptions options) {
    this.connection = connection;
    this.options = options;
    this.own = new ReleaseStatement(sql, LeaseRows.OWN);
    this.shared = new ReleaseStatement(sql, LeaseRows.SHARED);
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
    ReleaseStatement statement = receipt.resource().isShared() ? shared : own;
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
