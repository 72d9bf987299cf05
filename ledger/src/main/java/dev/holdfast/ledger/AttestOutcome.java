package dev.holdfast.ledger;

/** What became of a success that came by itself. The same one again gets the same answer. */
public sealed interface AttestOutcome {
  /**
   * It is stored and awaits its pick-up: by the holder's own settlement, by the next claim, or by
   * whoever looks after the operation.
   */
  record Pending() implements AttestOutcome {}

  /** The operation is settled; what was sent is on the record, and made a conflict at the most. */
  record Settled(OperationView operation) implements AttestOutcome {}

  /** It bears another tuple than the operation is reserved under: set aside, nothing changed. */
  record Quarantined() implements AttestOutcome {}

  /** Nobody claimed such an operation: nothing was stored. */
  record Absent() implements AttestOutcome {}

  /** Rivals kept moving the row; nothing was stored. */
  record Contended() implements AttestOutcome {}
}
