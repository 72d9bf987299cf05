/**
 * The worker side of fenced activities: the plugin that a worker registers, and what the code
 * inside an activity asks for its one effect.
 *
 * <p>Brings the ledger and the workflow side together; everything else stays in {@code internal}.
 */
@NullMarked
package dev.holdfast.activities;

import org.jspecify.annotations.NullMarked;
