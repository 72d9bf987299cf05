package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.FencedMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives each fenced method the one who verifies what its upstream signs. */
final class Verifiers {
  private final List<RegisteredVerifier> registered;

  Verifiers(List<RegisteredVerifier> registered) {
    this.registered = registered;
  }

  /**
   * What this method demands of its upstream's answers.
   *
   * @throws IllegalArgumentException two verifiers know its upstream
   */
  Attesting of(Object implementation, FencedMethod method) {
    List<RegisteredVerifier> knowing =
        registered.stream().filter(one -> knows(one, implementation, method)).toList();
    if (knowing.size() > 1) {
      throw new IllegalArgumentException(
          "the method "
              + method.method().getName()
              + " has two evidence verifiers: leave one of them out");
    }
    @Nullable EvidenceVerifier verifier = knowing.isEmpty() ? null : knowing.getFirst().verifier();
    return Attesting.of(method, verifier);
  }

  /**
   * Names each that none of these implementations needs. No refusal: another worker factory of the
   * same plugin may be created later, and a method that needs one stops the start by itself.
   */
  List<String> idle(List<Object> implementations) {
    return registered.stream()
        .filter(one -> implementations.stream().noneMatch(each -> isNeeded(one, each)))
        .map(
            one ->
                "the evidence verifier for "
                    + one.activityInterface().getName()
                    + " verifies nothing: no method of that interface that is registered so far"
                    + " demands evidence = ATTESTED")
        .toList();
  }

  private static boolean isNeeded(RegisteredVerifier one, Object implementation) {
    return FencedMethods.ofImplementation(implementation).values().stream()
        .anyMatch(
            method ->
                method.evidence() == EvidenceRule.ATTESTED && knows(one, implementation, method));
  }

  private static boolean knows(RegisteredVerifier one, Object implementation, FencedMethod method) {
    return one.activityInterface().isInstance(implementation)
        && method.method().getDeclaringClass().isAssignableFrom(one.activityInterface());
  }
}
