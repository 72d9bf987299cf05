package dev.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes the effect of an activity method safe to retry: it runs under a fenced lease, its response
 * is verified, and a durable receipt is committed before the lease is released.
 *
 * <p>Stands on the method of the activity interface, or on that of the implementation; the
 * interface is read first. An annotation on the implementation alone is seen by workflows only
 * where the activities are registered in the same worker factory; elsewhere the activity is fenced
 * without the workflow side's help. Durations are ISO-8601 texts such as {@code PT24H}, longer than
 * zero.
 *
 * <p>A losing caller gets one of the failures of {@link HoldfastFailures}, or the stored result.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Fenced {
  /** What the upstream promises; decides what may follow an unclear answer. */
  UpstreamContract upstream();

  /** For how long the upstream remembers a key; required with {@code HONOURS_KEY}. */
  String keyHorizon() default "";

  /**
   * The longest time between the dispatch of a request and the moment after which it can no longer
   * land unseen: request time-out, the upstream's own limit, and the delay until a query shows it.
   */
  String inFlight() default "";

  /**
   * The operation type, at most 100 characters without a colon. Pins it against a rename of the
   * activity; the default is the activity type.
   */
  String operation() default "";

  /** Within what the key names one effect. */
  KeyScope keyScope() default KeyScope.BUSINESS;

  /**
   * Name of a resource that several operations take in turn, at most 255 characters. The default is
   * the operation itself.
   */
  String resource() default "";

  /** What counts as proof that the effect was carried out. */
  EvidenceRule evidence() default EvidenceRule.WITNESSED;

  /** What the workflow does when only a person can find out what happened. */
  WhenUnknown whenUnknown() default WhenUnknown.WAIT;

  /** What becomes of two successes with different effects. */
  PayloadPolicy payloadPolicy() default PayloadPolicy.CONFLICT;

  /** What becomes of a success and a definite failure. */
  TerminalPolicy terminalPolicy() default TerminalPolicy.CONFLICT;

  /** Which generation of its binding the evidence of a success must carry. */
  EvidenceGeneration evidenceGeneration() default EvidenceGeneration.RESERVATION;
}
