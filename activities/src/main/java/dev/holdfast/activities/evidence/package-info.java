/**
 * Evidence that an upstream signed: who verifies it, and what of an answer a signature proves.
 *
 * <p>Pure over the bytes of one message and an injected clock: must never know Temporal, a database
 * or a connection, nor believe a field that no signature covers.
 */
@NullMarked
package dev.holdfast.activities.evidence;

import org.jspecify.annotations.NullMarked;
