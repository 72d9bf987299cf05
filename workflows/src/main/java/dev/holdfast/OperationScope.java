package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the tenant: the scope in which the operation key names one effect, at most 100 characters.
 * Without it the scope is the one that the worker was configured with, else the Temporal namespace.
 *
 * <p>Stands on one parameter, or on one component of a record that is an argument.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
public @interface OperationScope {}
