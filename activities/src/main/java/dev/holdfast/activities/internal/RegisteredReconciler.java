package dev.holdfast.activities.internal;

import dev.holdfast.activities.Reconciles;

/**
 * A reconciler that the plugin was given.
 *
 * @param activityInterface the interface whose method it is for
 */
public record RegisteredReconciler(Class<?> activityInterface, Reconciles<?> reconciler) {}
