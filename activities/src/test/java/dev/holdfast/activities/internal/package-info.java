/** Tests of the barrier, of the effects within it and of what they tell the ledger. */
@NullMarked
package dev.holdfast.activities.internal;

import org.jspecify.annotations.NullMarked;
