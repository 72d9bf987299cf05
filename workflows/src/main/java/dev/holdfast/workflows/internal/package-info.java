/**
 * The deterministic side of a fenced activity: which method it is, what names and fingerprints its
 * request, and what becomes of its failures. May change at any time.
 *
 * <p>Must never know JDBC, clocks, I/O or threads: all of it runs in workflow code and is replayed.
 */
@NullMarked
package dev.holdfast.workflows.internal;

import org.jspecify.annotations.NullMarked;
