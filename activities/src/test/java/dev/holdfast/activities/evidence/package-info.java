/** What a verifier believes, and everything that it must not. */
@NullMarked
package dev.holdfast.activities.evidence;

import org.jspecify.annotations.NullMarked;
