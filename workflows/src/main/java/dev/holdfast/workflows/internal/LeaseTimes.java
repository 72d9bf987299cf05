package dev.holdfast.workflows.internal;

import java.time.Duration;

/**
 * What the worker side was told of leases.
 *
 * @param lease how long one lasts unless renewed
 * @param waitInPlace how long an attempt waits for another's before it fails as busy
 */
public record LeaseTimes(Duration lease, Duration waitInPlace) {}
