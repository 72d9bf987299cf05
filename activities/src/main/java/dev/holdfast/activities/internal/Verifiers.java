package dev.holdfast.activities.internal;

import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.workflows.internal.FencedMethod;
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
        registered.stream()
            .filter(one -> one.activityInterface().isInstance(implementation))
            .filter(
                one ->
                    method.method().getDeclaringClass().isAssignableFrom(one.activityInterface()))
            .toList();
    if (knowing.size() > 1) {
      throw new IllegalArgumentException(
          "the method "
              + method.method().getName()
              + " has two evidence verifiers: leave one of them out");
    }
    @Nullable EvidenceVerifier verifier = knowing.isEmpty() ? null : knowing.getFirst().verifier();
    return Attesting.of(method, verifier);
  }
}
