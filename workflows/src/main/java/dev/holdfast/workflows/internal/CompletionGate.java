package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.OperationRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Locale;

/** Gates workflow code on a completed operation. */
public final class CompletionGate {
  private CompletionGate() {}

  /**
   * Returns if the operation is completed with that tuple, execution and effect.
   *
   * @throws ApplicationFailure {@code GateClosed}, {@code LedgerWentBack}; {@code
   *     LedgerUnavailable}: not in an hour
   */
  public static void require(OperationRef ref) {
    LookedUp.State state = state(ref);
    KeyDigest key = ref.operation().keyDigest();
    switch (state) {
      case COMPLETED -> {}
      case UNKNOWN, PARKED, IN_PROGRESS ->
          throw HoldfastFailures.retryable(
              HoldfastFailures.GATE_CLOSED, word(state), key, closed(key, state));
      case OTHER_TUPLE, FAILED, CONFLICT ->
          throw HoldfastFailures.nonRetryable(
              HoldfastFailures.GATE_CLOSED, word(state), key, closed(key, state));
      case ABSENT, WENT_BACK ->
          // as the worker's gate says it: a ledger may come back where it was
          throw HoldfastFailures.retryable(
              HoldfastFailures.LEDGER_WENT_BACK,
              word(state),
              key,
              "the ledger lost the receipt of operation #" + key);
    }
  }

  private static LookedUp.State state(OperationRef ref) {
    return PatientLook.ask(
            () -> LookupLoop.now(LookupQuery.of(ref)),
            "gate",
            "a required operation could not be looked up in the ledger")
        .state();
  }

  private static String closed(KeyDigest key, LookedUp.State state) {
    return "the required operation #" + key + " is not completed: " + word(state);
  }

  private static String word(LookedUp.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
