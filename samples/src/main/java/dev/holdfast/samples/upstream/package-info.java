/**
 * Two real HTTP services for the samples, a document exporter and a share publisher: each honours
 * idempotency keys, signs its answers, counts what it really did and misbehaves on demand.
 *
 * <p>They play the foreign systems of a production landscape, so this package must never know
 * Holdfast, Temporal or a database; it needs the JDK alone.
 */
@NullMarked
package dev.holdfast.samples.upstream;

import org.jspecify.annotations.NullMarked;
