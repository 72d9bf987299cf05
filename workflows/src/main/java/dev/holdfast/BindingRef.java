package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * One generation of a binding: the authorization under which an effect is requested. Taken by
 * {@link dev.holdfast.workflows.FencedActivities#currentBinding} and handed to an activity as
 * {@link BoundTo}.
 *
 * <p>As an argument of a fenced activity only {@link #name()} enters its fingerprint: the
 * generation is compared apart. Immutable; travels as JSON.
 *
 * @param name what is authorized
 * @param generation which of its authorizations; 0 where it was never rotated
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BindingRef(BindingName name, Generation generation) {}
