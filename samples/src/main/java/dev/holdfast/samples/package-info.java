/** What a newcomer runs: start with {@link dev.holdfast.samples.demo.Demo}. */
@NullMarked
package dev.holdfast.samples;

import org.jspecify.annotations.NullMarked;
