package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.Tuple;

/**
 * What a person orders for an operation whose binding was rotated: that it belong to a newer
 * generation.
 *
 * @param expected the tuple that the person saw; another one refuses the order
 * @param to the generation it shall belong to, higher than any before
 */
public record Rebind(Mode mode, Tuple expected, Generation to) {
  public Rebind {
    if (to.value() <= expected.generation().value()) {
      throw new IllegalArgumentException(
          "a rebind leads to a higher generation than " + expected.generation());
    }
  }

  /** What becomes of what was done so far. */
  public enum Mode {
    /** The completed effect counts for the newer generation as well: a new receipt refers to it. */
    ADOPT,
    /** A completed or failed operation is run again, in a new epoch and hence under a new key. */
    RE_EXECUTE,
    /**
     * One whose outcome is unknown goes on in the same epoch, under the same key: its open attempts
     * stay open, and the upstream may answer with what one of them did.
     */
    CARRY
  }
}
