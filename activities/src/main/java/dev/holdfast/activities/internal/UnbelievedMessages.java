package dev.holdfast.activities.internal;

import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.UnverifiedDelivery;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts messages that prove nothing, and has the ledger keep one for each operation and reason.
 * Whoever sends them learns nothing of the ledger, not even whether it is there. Safe for use by
 * many threads.
 */
final class UnbelievedMessages {
  /** So that a flood about the same few operations costs no round trip each. */
  private static final int REMEMBERED = 1_024;

  private final Ledger ledger;
  private final HoldfastCounters counters;
  private final Map<Kept, Boolean> kept = new Lately();

  private record Kept(Scope scope, OperationId operation, Refusal reason) {}

  private static final class Lately extends LinkedHashMap<Kept, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Kept, Boolean> eldest) {
      return size() > REMEMBERED;
    }
  }

  UnbelievedMessages(Ledger ledger, HoldfastCounters counters) {
    this.ledger = ledger;
    this.counters = counters;
  }

  /**
   * Counts one; keeps it where it names an operation.
   *
   * @param claimed the tuple that it bears, believed or not
   */
  void add(Optional<Tuple> claimed, Refusal reason, byte[] body) {
    counters.countRefusedDelivery();
    claimed.ifPresent(tuple -> keep(tuple, reason, body));
  }

  private void keep(Tuple claimed, Refusal reason, byte[] body) {
    Kept one = new Kept(claimed.scope(), claimed.operation(), reason);
    if (isKept(one)) {
      return;
    }
    try {
      if (ledger.observe(new UnverifiedDelivery(claimed, reason.word(), Sha256.of(body)))) {
        remember(one);
      }
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      // the next one of its kind is kept instead; a line for each would fill the log
      Transitions.notKept(reason, e);
    }
  }

  private boolean isKept(Kept one) {
    synchronized (kept) {
      return kept.containsKey(one);
    }
  }

  private void remember(Kept one) {
    synchronized (kept) {
      kept.put(one, true);
    }
  }
}
