/**
 * An effect that is SQL of the ledger's own database: done and recorded in one commit, exactly
 * once.
 */
@NullMarked
package dev.holdfast.samples.booking;

import org.jspecify.annotations.NullMarked;
