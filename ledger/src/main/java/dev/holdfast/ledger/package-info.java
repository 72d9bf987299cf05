/**
 * The ledger's words: reservations, leases, receipts, and what each verb answers.
 *
 * <p>Callers name these types and {@link dev.holdfast.ledger.Ledger}; how rows are read and written
 * stays behind it. Knows nothing of Temporal or Spring.
 */
@NullMarked
package dev.holdfast.ledger;

import org.jspecify.annotations.NullMarked;
