/**
 * What a workflow calls: fenced activities whose reference it wants to keep, and gates on them.
 *
 * <p>Deterministic. Knows nothing of JDBC, clocks, I/O or threads.
 */
@NullMarked
package dev.holdfast.workflows;

import org.jspecify.annotations.NullMarked;
