package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what names the request: its value is the key of the operation. A second request about the
 * same thing, with other options, has another key.
 *
 * <p>Stands on parameters, or on components of a record that is an argument. Several parts are
 * joined length-prefixed, in order. Allowed are text, {@code UUID}, whole numbers, enums, {@code
 * LocalDate}, {@code Instant}, and records of one such component. A key has at most 255 characters,
 * is in Unicode normal form C and holds no control characters; others are refused with {@link
 * HoldfastFailures#INVALID_OPERATION}, never trimmed, folded or cut.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
public @interface OperationKey {}
