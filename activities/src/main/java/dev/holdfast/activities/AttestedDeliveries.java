package dev.holdfast.activities;

import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.internal.DeliveryDesk;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;

/**
 * Takes in what an upstream signed and sent by itself, such as a webhook that says that an export
 * is done whose answer was lost. It is stored first, and settled under a fresh token where nobody
 * works on the operation; nothing is ever dispatched. Safe for use by many threads.
 *
 * <p>Made by {@link Holdfast.Builder#buildDeliveries}. Knows no Temporal server: a workflow that
 * waits for the operation finds it by its own look.
 */
public final class AttestedDeliveries {
  private final DeliveryDesk desk;

  AttestedDeliveries(DeliveryDesk desk) {
    this.desk = desk;
  }

  /**
   * Verifies and takes in one message.
   *
   * @param message as it came, every byte of it
   * @param reader called for a success that is truly signed alone; what it throws comes out, and
   *     nothing was stored
   * @throws LedgerUnavailableException nothing happened: have it sent again
   * @throws LedgerAnswerLostException nobody knows: have it sent again
   * @throws IllegalArgumentException the result is none of the method's
   */
  public Delivered accept(SignedMessage message, DeliveryReader<?> reader) {
    return desk.accept(message, reader);
  }
}
