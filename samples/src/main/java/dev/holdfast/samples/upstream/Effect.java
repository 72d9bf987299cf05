package dev.holdfast.samples.upstream;

import org.jspecify.annotations.Nullable;

/**
 * One effect that really happened: a document was exported, a share was published.
 *
 * @param key the key under which it was asked for
 * @param fencingToken the token that came with the request that did it, or null if none came
 */
public record Effect(IdempotencyKey key, @Nullable PresentedToken fencingToken) {}
