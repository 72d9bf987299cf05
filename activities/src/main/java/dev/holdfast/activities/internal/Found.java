package dev.holdfast.activities.internal;

import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;

/** What asking about an earlier attempt came to. */
sealed interface Found {
  /** It happened, and was settled as any success is. */
  record Happened(SettleOutcome outcome, StoredResult result) implements Found {}

  /** It did not happen, for good: the lease may dispatch. */
  record Cleared(UndispatchedLease lease) implements Found {}

  /** Its evidence came meanwhile: a fresh claim picks it up, or fails like this. */
  record Evidence(RuntimeException failure) implements Found {}

  /** The attempt fails; nothing was dispatched. */
  record Unknown(RuntimeException failure) implements Found {}
}
