package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.ReceiptNumber;

/**
 * The receipt that settled an operation, as far as the operation's own row does not say it.
 *
 * @param claimId under which it was committed
 * @param dispatchedBy the attempt whose effect it proves; another one where stored evidence was
 *     picked up
 * @param position where it was numbered
 */
record SettlingReceipt(
    ReceiptNumber number, ClaimId claimId, ClaimId dispatchedBy, LedgerPosition position) {}
