package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.testbed.Rows;
import java.util.List;
import java.util.Optional;

/**
 * One operation, its upstream, and what happened to them.
 *
 * @param unpaused a ledger without pause points, for what must not be parted
 * @param happened in the order in which it did: one worker at a time adds to it
 */
record Scene(
    Reservation operation,
    Upstream upstream,
    Ledger unpaused,
    RawLedger raw,
    List<Happening> happened) {

  /** A second operation, of this worker's. */
  Reservation share(String worker) {
    return Rows.reservation("share-" + worker + "-" + operation.operation().key());
  }

  /**
   * The completion that a share would require, under the receipt that there is; with a made-up
   * effect and receipt where there is none yet.
   */
  Completion hoped() {
    String effect = upstream.effects().isEmpty() ? "none-yet" : upstream.effects().getFirst().id();
    Optional<Completion> proved =
        unpaused.read(operation.scope(), operation.operation()).map(OperationView::completion);
    return new Completion(
        operation.scope(),
        operation.operation(),
        operation.fingerprint(),
        operation.generation(),
        new Epoch(0),
        new EffectId(effect),
        proved.map(Completion::receipt).orElseGet(() -> new ReceiptNumber(1)),
        proved.map(Completion::position).orElseGet(() -> new LedgerPosition("1", 1)));
  }
}
