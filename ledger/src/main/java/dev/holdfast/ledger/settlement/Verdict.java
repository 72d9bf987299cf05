package dev.holdfast.ledger.settlement;

/**
 * What becomes of an observation and of the operation; one case for each disposition. The statement
 * that carries it out compares tuple, epoch, revision, token and claim id; when it misses, load and
 * settle again.
 */
public sealed interface Verdict {

  /** The state afterwards; the same as before where nothing moves. */
  OperationState nextState();

  /** The word for this disposition in the database and in the table. */
  default String disposition() {
    return switch (this) {
      case Receipt made -> "receipt";
      case Failure made -> "failure";
      case Pending made -> "pending";
      case Closed made -> "closed";
      case Demoted made -> "demoted";
      case Quarantined made -> "quarantined";
      case Conflicted made -> "conflicted";
      case Recorded made -> "recorded";
      case RenewFirst made -> "renew_first";
    };
  }

  /** Completed; operation and receipt are written together. */
  record Receipt() implements Verdict {
    @Override
    public OperationState nextState() {
      return OperationState.COMPLETED;
    }
  }

  /** Failed for good; the lease ends in the same transaction. */
  record Failure() implements Verdict {
    @Override
    public OperationState nextState() {
      return OperationState.FAILED;
    }
  }

  /** The success is stored for pick-up and counted; the revision rises. */
  record Pending(OperationState nextState) implements Verdict {}

  /**
   * The observer's own attempt is closed without receipt or failure. Where the state moves to
   * {@link OperationState#UNKNOWN}, the lease ends in the same transaction.
   */
  record Closed(OperationState nextState) implements Verdict {}

  /** The lease is over; the operation may be claimed again. */
  record Demoted() implements Verdict {
    @Override
    public OperationState nextState() {
      return OperationState.UNKNOWN;
    }
  }

  /** Another tuple's: set aside, its attempt stays open, a later match is not blocked. */
  record Quarantined(OperationState nextState) implements Verdict {}

  /** Two truths; waits for a person. */
  record Conflicted() implements Verdict {
    @Override
    public OperationState nextState() {
      return OperationState.CONFLICT;
    }
  }

  /** Stored; nothing changes. */
  record Recorded(OperationState nextState) implements Verdict {}

  /** Nothing is stored: renew the lease once and settle again; thin twice counts as over. */
  record RenewFirst() implements Verdict {
    @Override
    public OperationState nextState() {
      return OperationState.IN_PROGRESS;
    }
  }
}
