package dev.holdfast.activities.internal;

import dev.holdfast.activities.evidence.EvidenceVerifier;

/**
 * A verifier that the plugin was given.
 *
 * @param activityInterface the interface whose upstream it knows
 */
public record RegisteredVerifier(Class<?> activityInterface, EvidenceVerifier verifier) {}
