/**
 * Export, then share: two effects, the second gated on the first. What an author writes; start with
 * {@link dev.holdfast.samples.sharing.ExportActivities}.
 */
@NullMarked
package dev.holdfast.samples.sharing;

import org.jspecify.annotations.NullMarked;
