package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@link BindingRef} under which the effect is requested; one parameter at most. Its
 * generation is part of the reservation, and the activity is carried out only while it is the
 * binding's current one. Else the caller gets {@link HoldfastFailures#BINDING_SUPERSEDED}, and
 * nothing more is dispatched. The message says what an earlier attempt left: where nothing, ask for
 * the effect anew under the current generation; else what became of it stands or is still unknown,
 * and it must not be asked for anew under another key. A parameter only: never a component of a
 * record, which is refused at the start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BoundTo {}
