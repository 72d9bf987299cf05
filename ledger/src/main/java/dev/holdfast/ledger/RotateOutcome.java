package dev.holdfast.ledger;

/** What became of an order to rotate a binding. Only {@link Rotated} changed anything. */
public sealed interface RotateOutcome {
  /**
   * Done and recorded, now or when the same order was sent before; or what would be done.
   *
   * @param current claims under an older generation are refused from now on
   */
  record Rotated(Generation current, boolean dryRun) implements RotateOutcome {}

  /** It is no longer as the person saw it. */
  record Moved(Generation now) implements RotateOutcome {}

  /** Rivals kept moving the row; nothing was done. */
  record Contended() implements RotateOutcome {}
}
