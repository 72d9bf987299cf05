/** What the tests of this module share: workers over a ledger, and effects that can be watched. */
@NullMarked
package dev.holdfast.activities.bed;

import org.jspecify.annotations.NullMarked;
