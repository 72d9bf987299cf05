/**
 * What the ledger costs, measured against what no ledger could do without. Run by {@code mvn -q
 * -Pbenchmark package}, never by the tests.
 */
@NullMarked
package dev.holdfast.ledger.bench;

import org.jspecify.annotations.NullMarked;
