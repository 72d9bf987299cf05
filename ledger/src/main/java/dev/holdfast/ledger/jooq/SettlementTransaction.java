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

/**
 * The slow path of settlement, for whatever the single statements do not cover: locks, loads, lets
 * {@link dev.holdfast.ledger.settlement} decide, compares and sets, and loads again where that
 * misses. Alone (with the effects of {@link TransactionalSettlement}) it opens transactions of
 * several statements. Safe for use by many threads.
 */
final class SettlementTransaction {
  private final LedgerTransaction transaction;

  SettlementTransaction(LedgerTransaction transaction) {
    this.transaction = transaction;
  }

  /** Settles a verified success that the settle statement did not. */
  SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result) {
    return transaction
        .commit(under -> Optional.<SettleOutcome>empty())
        .orElseGet(SettleOutcome.Contended::new);
  }

  /** Records the end of an attempt. */
  EndOutcome end(Lease lease, AttemptEnd end) {
    return transaction
        .commit(under -> Optional.<EndOutcome>empty())
        .orElseGet(EndOutcome.Contended::new);
  }

  /**
   * Completes an operation, or finds it in conflict, from the evidence that is stored for it.
   *
   * @return empty where there is nothing to pick up any more, or somebody holds a live lease: claim
   *     again
   */
  Optional<Claim> pickUp(ClaimRequest request) {
    return transaction.commit(under -> Optional.<Claim>empty());
  }
}
