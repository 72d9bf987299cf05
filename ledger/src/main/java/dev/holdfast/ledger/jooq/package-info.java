/**
 * How the ledger's rows are read and written on PostgreSQL: one class for each statement, guards
 * only. What a state may become is decided in {@link dev.holdfast.ledger.settlement}.
 *
 * <p>Must never know Temporal or Spring, and shows nothing of jOOQ to the outside.
 */
@NullMarked
package dev.holdfast.ledger.jooq;

import org.jspecify.annotations.NullMarked;
