/** Tells whether the upstreams keep their promises, seen by an ordinary HTTP client. */
@NullMarked
package dev.holdfast.samples.upstream;

import org.jspecify.annotations.NullMarked;
