package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an {@link OperationRef}, or a list of them, as a gate: the activity is carried out only
 * while the operation referred to is completed with that very tuple and effect. Else the caller
 * gets {@link HoldfastFailures#GATE_CLOSED} and nothing is dispatched. A parameter only: never a
 * component of a record, which is refused at the start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface RequiresCompleted {}
