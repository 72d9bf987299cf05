package dev.holdfast.activities.internal;

import dev.holdfast.activities.Reconciles;
import dev.holdfast.workflows.internal.FencedMethod;
import org.jspecify.annotations.Nullable;

/**
 * A fenced method of one implementation, who finds out what became of its effects, and who verifies
 * what its upstream signs.
 *
 * @param reconciler null where nobody can
 */
record FencedActivity(
    FencedMethod method, @Nullable Reconciles<?> reconciler, Attesting attesting) {}
