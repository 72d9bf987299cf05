/**
 * The one rule book by which authoritative state changes, as pure functions over plain values.
 *
 * <p>Must never know a clock, a connection, a table or a caller: who holds what, and until when, is
 * judged under the row lock and handed in.
 */
@NullMarked
package dev.holdfast.ledger.settlement;

import org.jspecify.annotations.NullMarked;
