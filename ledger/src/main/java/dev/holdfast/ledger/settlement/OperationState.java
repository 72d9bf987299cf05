package dev.holdfast.ledger.settlement;

/** Authoritative state of an operation (seed: monotonic operation settlement). */
public enum OperationState {
  /** Nothing is known; may be claimed. */
  UNKNOWN("unknown"),
  /** Claimed; counts as {@link #UNKNOWN} once its lease is over. */
  IN_PROGRESS("in_progress"),
  /** One effect exists, and a receipt for it. */
  COMPLETED("completed"),
  /** Definitely did nothing and never will; final for tuple and epoch. */
  FAILED("failed"),
  /** Two truths exist; waits for a person. */
  CONFLICT("conflict");

  private final String word;

  OperationState(String word) {
    this.word = word;
  }

  /** The word for this state in the database, in logs and in the table. */
  public String word() {
    return word;
  }

  /**
   * The state of this word.
   *
   * @throws IllegalArgumentException if no state has it
   */
  public static OperationState of(String word) {
    for (OperationState state : values()) {
      if (state.word.equals(word)) {
        return state;
      }
    }
    throw new IllegalArgumentException("no operation state: " + word);
  }
}
