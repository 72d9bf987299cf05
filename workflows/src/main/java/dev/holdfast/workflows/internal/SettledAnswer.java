package dev.holdfast.workflows.internal;

import org.jspecify.annotations.Nullable;

/** What became of one call: the value, and the reference where somebody waits for it. */
record SettledAnswer<R>(@Nullable R value, @Nullable ResultMetadata metadata) {}
