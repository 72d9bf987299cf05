/**
 * Tests of the schema itself, past the library: what the database refuses, whoever asks, and what
 * keeps its plain path cheap.
 */
@NullMarked
package dev.holdfast.ledger.schema;

import org.jspecify.annotations.NullMarked;
