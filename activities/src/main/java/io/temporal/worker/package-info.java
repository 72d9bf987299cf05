/**
 * One class beside the SDK's own, because the public API shows no registrations. Must never grow a
 * second one.
 */
@NullMarked
package io.temporal.worker;

import org.jspecify.annotations.NullMarked;
