/**
 * The main job, played for a reader: export-then-share and a booking through what can go wrong,
 * each counted where the effects happen. Start with {@link dev.holdfast.samples.demo.Demo}.
 */
@NullMarked
package dev.holdfast.samples.demo;

import org.jspecify.annotations.NullMarked;
