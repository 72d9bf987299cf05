/**
 * The barrier around one activity attempt: claim, dispatch, verify, settle, release, and the keeper
 * of leases. May change at any time.
 *
 * <p>Must never know SQL, which is the ledger's, nor how a request is fingerprinted, which is the
 * workflow side's.
 */
@NullMarked
package dev.holdfast.activities.internal;

import org.jspecify.annotations.NullMarked;
