package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The result of a fenced activity, and what a later gate needs of it.
 *
 * @param value what the activity returned; null for {@code void}
 * @param ref refers to the completed operation
 * @param replayed whether the value was stored by another execution: the effect is none of this
 *     one's. A {@code void} activity, and one whose failure was settled, counts all attempts of the
 *     same activity execution as its own.
 * @param <T> type of the value
 */
public record Settled<T extends @Nullable Object>(T value, OperationRef ref, boolean replayed) {}
