/**
 * What tests of every module stand a ledger on: a real PostgreSQL, a database of one's own, a clock
 * that can be set, rows in any state, and a wire that can be watched and cut.
 *
 * <p>Published as the module's test-jar. Knows nothing of Temporal or Spring, and nothing here may
 * be named by production code.
 */
@NullMarked
package dev.holdfast.ledger.testbed;

import org.jspecify.annotations.NullMarked;
