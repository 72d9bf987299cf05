package dev.holdfast.workflows.internal;

import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import org.jspecify.annotations.Nullable;

/** Makes request fingerprints of scheme {@code fp1}. */
@SuppressWarnings("DoNotCallSuggester")
public final class Fingerprint {
  /** The name of the scheme. */
  public static final String SCHEME = "fp1";

  private Fingerprint() {}

  /**
   * The fingerprint of a call: scope, operation type and the arguments that the effect depends on.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: an argument has no
   *     canonical form
   */
  public static RequestFingerprint of(
      FencedMethod method, Scope scope, @Nullable Object[] arguments) {
    throw new UnsupportedOperationException();
  }
}
