package dev.holdfast.spring;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whatever Boot reads as a no turns the protection off, and a misspelt word stops the start: Boot's
 * own condition knows {@code false} alone, and would protect an application that says {@code off}.
 */
final class OnEnabled extends SpringBootCondition {
  private static final String ENABLED = HoldfastProperties.PREFIX + ".enabled";

  @Override
  public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata marked) {
    boolean enabled = context.getEnvironment().getProperty(ENABLED, Boolean.class, true);
    return new ConditionOutcome(enabled, ENABLED + " is " + enabled);
  }
}
