package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says whose upstream a bean knows: on the class or the bean method of a {@link
 * dev.holdfast.activities.Reconciles} or an {@link
 * dev.holdfast.activities.evidence.EvidenceVerifier}.
 *
 * <p>Such a bean without it stops the start, because it would never be asked; an activity
 * implementation that is its own reconciler needs none. The bean is made before Temporal's beans:
 * it takes a {@code WorkflowClient} by an {@code ObjectProvider} only.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ForActivities {
  /** The activity interfaces. */
  Class<?>[] value();
}
