package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@link BindingRef} under which the effect is requested; one parameter at most. Its
 * generation is part of the reservation, and the activity is carried out only while it is the
 * binding's current one. Else the caller gets {@link HoldfastFailures#BINDING_SUPERSEDED} and
 * nothing is dispatched: the effect must be asked for anew, under another key, or be rebound by a
 * person.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BoundTo {}
