package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a person's act. Only {@link Done} changed anything, unless it was a dry run. */
public sealed interface ActOutcome {
  /**
   * Done, and recorded; or what would be done.
   *
   * @param before as it stood, without its result
   * @param after the state that the act left it in; it may have moved since
   * @param waiting workflows whose attempts it has seen, which may wait to hear of it. One that was
   *     never granted a claim is not among them
   * @param dependents operations that were claimed because this one was completed, where it no
   *     longer is with that receipt. Of an act that is ordered again those whose claim still
   *     stands: who was reopened or claimed anew since is not among them
   * @param dryRun whether that was all that was asked for: of an act that was done before it tells
   *     what became of it
   */
  record Done(
      OperationView before,
      OperationState after,
      List<Waiter> waiting,
      List<OperationId> dependents,
      boolean dryRun)
      implements ActOutcome {
    public Done {
      waiting = List.copyOf(waiting);
      dependents = List.copyOf(dependents);
    }
  }

  /** Nobody claimed it. */
  record Absent() implements ActOutcome {}

  /** It is no longer as the person saw it. */
  record Moved(OperationView now) implements ActOutcome {}

  /** A live lease is on it or, where a receipt would be written, on its shared resource. */
  record Held(Duration retryAfter) implements ActOutcome {}

  /**
   * A request of an open attempt may still land, or may have landed since the person looked.
   *
   * @param horizon the last instant of any, by the database's clock
   * @param left what was left until then; zero where it is past, and the person must look again
   */
  record TooEarly(Instant horizon, Duration left) implements ActOutcome {}

  /** So many successes are stored: the next claim picks them up, no force passes over them. */
  record EvidenceWaits(int stored) implements ActOutcome {}

  /**
   * The act makes no sense here.
   *
   * @param cure what to do instead
   */
  record NotApplicable(OperationState state, String cure) implements ActOutcome {}

  /** Rivals kept moving the row; nothing was done. */
  record Contended() implements ActOutcome {}

  /** A workflow, to be signalled by its id: its run may be another one by now. */
  record Waiter(String namespace, String workflowId, @Nullable String runId) {}
}
