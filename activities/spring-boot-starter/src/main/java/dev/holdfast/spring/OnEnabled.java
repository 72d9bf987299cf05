package dev.holdfast.spring;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Only a plain {@code false} turns the protection off: Boot's own condition takes every misspelt
 * word for one.
 */
final class OnEnabled extends SpringBootCondition {
  private static final String ENABLED = HoldfastProperties.PREFIX + ".enabled";

  @Override
  public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata marked) {
    boolean enabled = context.getEnvironment().getProperty(ENABLED, Boolean.class, true);
    return new ConditionOutcome(enabled, ENABLED + " is " + enabled);
  }
}
