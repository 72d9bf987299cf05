package dev.holdfast.workflows.internal;

import dev.holdfast.OperationRef;

/** Gates workflow code on a completed operation. */
@SuppressWarnings("DoNotCallSuggester")
public final class CompletionGate {
  private CompletionGate() {}

  /** Returns if the operation is completed with that tuple and effect. */
  public static void require(OperationRef ref) {
    throw new UnsupportedOperationException();
  }
}
