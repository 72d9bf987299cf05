package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Asks the ledger for what workflow code cannot go on without, an hour long: a longer outage is for
 * the author to answer, who has no failed activity here that would stand instead.
 */
final class PatientLook {
  private static final String CHANGE = "holdfast-patience";

  /** From here on an absent ledger is waited for longer than {@link #IMPATIENT_TIMES} looks. */
  private static final int PATIENT = 1;

  private static final int IMPATIENT_TIMES = 5;

  /** As many looks cost a history some four hundred events. */
  private static final Duration IN_ALL = Duration.ofHours(1);

  private PatientLook() {}

  /**
   * The answer to one look-up, asked again with growing pauses while the ledger does not answer.
   *
   * @param code short word for what is asked, for the failure
   * @param what says what could not be looked up
   * @throws ApplicationFailure {@code LedgerUnavailable}: not in an hour; {@code InvalidOperation}
   * @throws ActivityFailure the caller's scope was cancelled
   */
  static <T> T ask(Supplier<T> lookUp, String code, String what) {
    Duration pause = LookupLoop.FIRST_PAUSE;
    Duration waited = Duration.ZERO;
    for (int failed = 1; ; failed++) {
      try {
        return lookUp.get();
      } catch (ActivityFailure e) {
        rethrowWhatNoLookCures(e);
        if (failed >= IMPATIENT_TIMES && givesUp(e, waited)) {
          throw HoldfastFailures.ledgerUnavailable(code, what);
        }
      }
      Workflow.sleep(pause);
      waited = waited.plus(pause);
      pause = LookupLoop.next(pause);
    }
  }

  private static void rethrowWhatNoLookCures(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure) {
      throw failure;
    }
    if (failure.getCause() instanceof ApplicationFailure told
        && told.getType().equals(HoldfastFailures.INVALID_OPERATION)) {
      throw told;
    }
  }

  private static boolean givesUp(ActivityFailure failure, Duration waited) {
    // asked only here, so that a run in which the ledger answers writes no marker
    int version = Workflow.getVersion(CHANGE, Workflow.DEFAULT_VERSION, PATIENT);
    return version < PATIENT || !LookupLoop.mayRecover(failure) || waited.compareTo(IN_ALL) >= 0;
  }
}
